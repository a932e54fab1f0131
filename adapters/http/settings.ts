import { Context, Schema } from "effect"
import { about, between, cookieFields, orElse, Positive } from "../../domain/settings.ts"

const aDomain = { expected: "a domain such as example.com, or null" }

const Cookie = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]+$/, { expected: "letters, digits, _ and -" })).pipe(
    orElse("session"),
    about("The base name of the session's cookie: with `host_prefix` and `secure` it becomes `__Host-session`."),
  ),
  ...cookieFields,
  http_only: Schema.Boolean.pipe(orElse(true), about("Whether the cookie has the attribute `HttpOnly`.")),
  same_site: Schema.Literals(["Lax", "Strict", "None"]).pipe(orElse("Lax"), about("The attribute `SameSite` of the cookie.")),
  domain: Schema.NullOr(Schema.String.check(Schema.isPattern(/^\.?[a-z0-9-]+(\.[a-z0-9-]+)*$/i, aDomain))).pipe(
    Schema.annotate(aDomain),
    orElse(null),
    about("The domain of the cookie; ignored with `host_prefix`."),
  ),
  path: Schema.String.check(
    Schema.isPattern(/^\/[\x21-\x3a\x3c-\x7e]*$/, { expected: "a path such as / or /api, without blanks and semicolons" }),
  ).pipe(orElse("/"), about("The path of the cookie; ignored with `host_prefix` and `secure`.")),
})

/** How requests are read, and the cookie of the responses. */
export const fields = {
  trusted_proxies: Schema.Array(
    Schema.String.check(Schema.isPattern(/^[0-9a-fA-F:.]+\/\d{1,3}$/, { expected: "a network such as 10.0.0.0/8" })),
  ).pipe(orElse([]), about("Networks of proxies, such as `10.0.0.0/8`, whose `X-Forwarded-For` is trusted.")),
  client_address: Schema.Union([
    Schema.Literals(["peer", "vercel", "cloudflare", "fly"]),
    Schema.Struct({
      header: Schema.String.check(Schema.isPattern(/^[a-z0-9-]{1,64}$/, { expected: "a field such as x-real-ip, in lower case" })),
    }),
  ]).pipe(
    orElse("peer"),
    about(
      "Where the client address is read: `peer` (the connection, and `X-Forwarded-For` as far as `trusted_proxies` wrote it), or the field that a platform or a proxy overwrites in every request: `vercel` (`x-real-ip`), `cloudflare` (`cf-connecting-ip`), `fly` (`fly-client-ip`) or `{ header }`. Where clients can reach the service without it, they could choose their address.",
    ),
  ),
  max_body_bytes: Positive.pipe(
    orElse(1_048_576),
    about(
      "The maximum size of a request body. Each 64 KiB of a body counts as a further request, for a body without `Content-Length` while it is read.",
    ),
  ),
  request_timeout: between(1, 60).pipe(
    orElse(5),
    about("For how long the work for one request may wait for the store, in seconds; then it is answered 503 with `Retry-After`."),
  ),
  cookie: Cookie.pipe(orElse({})),
} as const

const Settings = Schema.Struct(fields)

/** Decodes these settings of a configuration and fills in defaults. */
export const decode = Schema.decodeUnknownEffect(Settings)

export class HttpSettings extends Context.Service<HttpSettings, typeof Settings.Type>()("sallyport/HttpSettings") {}
