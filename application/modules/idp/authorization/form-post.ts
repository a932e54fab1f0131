import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { escaped } from "../../../../domain/values/html.ts"

/** Submits the form. Its hash is in the content security policy, so it must not depend on the response. */
const script = "document.forms[0].submit()"

const fieldOf = ([name, value]: readonly [string, string]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`

const pageOf = (uri: string, parameters: ReadonlyArray<readonly [string, string]>) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Continue</title></head><body><form method="post" action="${escaped(uri)}">${parameters.map(fieldOf).join("")}<button>Continue</button></form><script>${script}</script></body></html>`

/** A page that posts the response parameters to the client (OAuth 2.0 Form Post Response Mode section 2). */
export const formPost = Effect.fnUntraced(function* formPost(uri: string, parameters: Readonly<Record<string, string | undefined>>) {
  const defined = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const digest = yield* Digest.Digest
  const hash = Base64.encode(yield* digest.digest(Digest.sha256, new TextEncoder().encode(script)))
  // No `form-action`: Chrome and Safari apply it to the redirects of the client too.
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'`
  return { type: "text/html; charset=utf-8", content: pageOf(uri, defined), headers: { "content-security-policy": policy } }
}, Effect.orDie)
