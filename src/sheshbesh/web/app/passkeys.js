/** Devices: what a browser is called, and its passkeys, between the browser's authenticator and the server's JSON. */

import { post } from "./api.js";

/** @param {string} text base64url */
function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null} buffer */
function text(buffer) {
  if (!buffer) return null;
  return btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

export const supported = () => typeof PublicKeyCredential !== "undefined";

/** Make a passkey; a guest becomes an account of this name. @param {string} [name] */
export async function register(name = "") {
  const { state, options } = await post("/passkeys/register/begin", { name });
  const made = /** @type {PublicKeyCredential | null} */ (
    await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        user: { ...options.user, id: bytes(options.user.id) },
        excludeCredentials: (options.excludeCredentials ?? []).map(
          (/** @type {{id: string, transports?: AuthenticatorTransport[]}} */ each) => ({
            ...each,
            id: bytes(each.id),
          }),
        ),
      },
    })
  );
  if (!made) return null;
  const answer = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  const credential = {
    id: made.id,
    rawId: text(made.rawId),
    type: made.type,
    response: {
      attestationObject: text(answer.attestationObject),
      clientDataJSON: text(answer.clientDataJSON),
      transports: answer.getTransports?.() ?? [],
    },
  };
  return post("/passkeys/register/finish", {
    state,
    credential,
    name,
    label: agentName(navigator.userAgent),
  });
}

/**
 * Have the owner confirmed by a passkey of this browser.
 * @returns {Promise<{state: string, credential: unknown} | null>} null where none was chosen
 */
export async function prove() {
  const { state, options } = await post("/passkeys/login/begin");
  const found = /** @type {PublicKeyCredential | null} */ (
    await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        allowCredentials: (options.allowCredentials ?? []).map(
          (/** @type {{id: string, transports?: AuthenticatorTransport[]}} */ each) => ({
            ...each,
            id: bytes(each.id),
          }),
        ),
      },
    })
  );
  if (!found) return null;
  const answer = /** @type {AuthenticatorAssertionResponse} */ (found.response);
  const credential = {
    id: found.id,
    rawId: text(found.rawId),
    type: found.type,
    response: {
      authenticatorData: text(answer.authenticatorData),
      clientDataJSON: text(answer.clientDataJSON),
      signature: text(answer.signature),
      userHandle: text(answer.userHandle),
    },
  };
  return { state, credential };
}

/** Sign in with a passkey of this browser. */
export async function login() {
  const passkey = await prove();
  return passkey && post("/login", { passkey });
}

/** @type {[RegExp, string][]} the first that fits; many call themselves by the names of others as well */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bYaBrowser\//, "Yandex"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\/|\bChromium\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

/** @type {[RegExp, string][]} */
const SYSTEMS = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * Browser and system of a User-Agent, as "Firefox · Android"; the start of the header where neither is recognised.
 * @param {string} agent
 */
export function agentName(agent) {
  const names = [BROWSERS, SYSTEMS]
    .map((list) => list.find(([pattern]) => pattern.test(agent))?.[1])
    .filter(Boolean);
  return names.length ? names.join(" · ") : agent.slice(0, 40);
}
