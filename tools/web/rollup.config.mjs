// The type declarations of the vendored modules, each in one file that imports nothing.
import resolve from "@rollup/plugin-node-resolve";
import dts from "rollup-plugin-dts";

const vendor = "../../src/sheshbesh/web/vendor";

export default ["lit", "noble-hashes"].map((name) => ({
  input: `${name}.ts`,
  output: { file: `${vendor}/${name}.d.ts`, format: "es" },
  plugins: [resolve(), dts({ respectExternal: true })],
}));
