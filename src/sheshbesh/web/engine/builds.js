/** The two builds of the core, `core-relaxed.wasm` and `core-simd.wasm`: which one runs here, and how it is begun. */

/** A module of one function of the instructions given; a browser without one of them refuses it. */
const probe = (/** @type {number[]} */ ...code) =>
  Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 5, 1, 0x60, 0, 1, 0x7b],
    ...[3, 2, 1, 0],
    ...[0x0a, code.length + 4, 1, code.length + 2, 0, ...code, 0x0b],
  );
const ZEROS = [0x41, 0, 0xfd, 0x0f];
const RELAXED_DOT = [0xfd, 0x93, 0x02];

/**
 * The build that this browser can run: "relaxed", "simd", or undefined where it has no vectors of 128 bits.
 * @returns {"relaxed" | "simd" | undefined}
 */
export function buildFor() {
  if (typeof WebAssembly !== "object") return undefined;
  if (WebAssembly.validate(probe(...ZEROS, ...ZEROS, ...ZEROS, ...RELAXED_DOT))) return "relaxed";
  return WebAssembly.validate(probe(...ZEROS)) ? "simd" : undefined;
}

/** Tell whether this browser has what the engine needs. */
export const canRun = () => buildFor() !== undefined && typeof Worker === "function";

/** Tell whether little is to be loaded: the engine is not, where there is a server to ask instead. */
export const savesData = () =>
  Boolean(/** @type {{connection?: {saveData?: boolean}}} */ (navigator).connection?.saveData);

/**
 * An instance of a module, with the little that it asks of a system.
 * @param {WebAssembly.Module} module
 */
export async function instantiated(module) {
  /** @type {Record<string, Function>} */
  const system = {};
  for (const { name } of WebAssembly.Module.imports(module)) system[name] = () => 0;
  system.proc_exit = () => {
    throw new WebAssembly.RuntimeError("the core ended");
  };
  /** @type {any} */
  let memory;
  // No variables of an environment, and no bytes for them.
  system.environ_sizes_get = (/** @type {number[]} */ ...places) => {
    for (const place of places) new DataView(memory.buffer).setUint32(place, 0, true);
    return 0;
  };
  const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: /** @type {WebAssembly.ModuleImports} */ (system),
  });
  memory = instance.exports.memory;
  return instance;
}
