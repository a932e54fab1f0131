import { Schema } from "effect"
import { orElse } from "../../../domain/settings.ts"
import { isRedirectUri } from "../../../domain/values/redirect-uri.ts"
import { isLocal } from "../../../domain/values/url.ts"
import * as Module from "../../service/module.ts"
import { NativeCodes, nativeEndpoints } from "./native.ts"

/**
 * The `Authorization` header field with a bearer token (RFC 6750 section 2.1). The scheme name is case-insensitive (RFC 9110 section 11.1).
 */
const credentials = /^bearer +([\w.~+/-]+=*)$/i

/** The scheme of the app Expo Go, which runs the app of every developer: each of them could take the code of another. */
const isExpoGo = (uri: string) => /^exp:\/\/[\w.:-]+(\/[\x21-\x7e]*)?$/.test(uri) && !/[#\\*@]/.test(uri)

/** Narrower than the redirect URIs of clients: `localhost` can resolve to another machine (RFC 8252 section 8.3). */
const isOfApp = (uri: string) => isExpoGo(uri) || (isRedirectUri(uri) && !uri.startsWith("http://localhost"))

const Redirect = Schema.String.check(
  Schema.makeFilter(isOfApp, { expected: "a URI such as com.example.app:/auth, https://app.example.com/auth or http://127.0.0.1/auth" }),
)

/** Sessions for clients without cookies: the credential is sent in header fields. */
export const bearer = Module.define({
  name: "bearer",
  settings: Schema.Struct({
    redirects: Schema.Array(Redirect).pipe(
      orElse(
        [],
        "Redirect URIs of apps that sign in through the browser ([more](application/modules/bearer/README.md)): https, the private scheme of an app with a dot, or `http://127.0.0.1` and `http://[::1]` with any port; `exp://` where `public_url` is local. With an empty list apps cannot.",
      ),
    ),
  }),
  faults: ({ redirects }, { public_url }) =>
    redirects.flatMap((uri, at) =>
      isExpoGo(uri) && !isLocal(new URL(public_url)) ? [{ path: ["redirects", at], wanted: "no exp:// unless public_url is local" }] : [],
    ),
  parts: ({ redirects }) => ({
    tables: [NativeCodes],
    endpoints: nativeEndpoints(redirects),
    sessionTransports: [{ field: "set-auth-token", read: (header) => header("authorization")?.match(credentials)?.[1] ?? null }],
  }),
})
