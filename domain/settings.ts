import { Context, Effect, Schema } from "effect"

/** Sets the default of an optional setting, and describes the setting as `about` does. */
export const orElse =
  <S extends Schema.Top>(value: S["Encoded"], description?: string) =>
  (schema: S) => {
    const optional = Schema.withDecodingDefaultKey<S>(Effect.succeed(value))(schema)
    return description === undefined ? optional : about(description)(optional)
  }

/**
 * Describes a setting for the reference (`npm start -- settings`, and the site): sentences in Markdown, with links from the root of the
 * repository.
 */
export const about =
  (description: string) =>
  <S extends Schema.Top>(schema: S) =>
    schema.annotateKey({ description })

/** A setting that is null by default. */
export const nullable = <S extends Schema.Top>(schema: S, description: string) => Schema.NullOr(schema).pipe(orElse(null, description))

/** A setting that is false by default. */
export const flag = (description: string) => Schema.Boolean.pipe(orElse(false, description))

export const Positive = Schema.Int.check(Schema.isGreaterThan(0))

/** An integer in a range, both ends included. */
export const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Longer durations would produce dates that cannot be represented. */
const hundredYears = 3_155_760_000

/** A duration in seconds. */
export const Seconds = between(1, hundredYears)

export const section = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).pipe(Schema.withDecodingDefaultKey(Effect.succeed({} as Schema.Struct<Fields>["Encoded"])))

const isOrigin = (text: string) => {
  const url = URL.parse(text)
  return url !== null && url.origin === text && /^https?:$/.test(url.protocol)
}
const Origin = Schema.String.check(
  Schema.makeFilter(isOrigin, { expected: "an origin such as https://app.example.com, without a path or a slash at its end" }),
)
const TrustedOrigin = Schema.String.check(
  Schema.makeFilter((text: string) => isOrigin(text.replace(/^https:\/\/\*\./, "https://")), {
    expected: "an origin such as https://app.example.com or https://*.example.com, without a path or a slash at its end",
  }),
)

/** What cookies besides that of the session depend on; `adapters/http/settings.ts` has the other attributes. */
export const cookieFields = {
  host_prefix: Schema.Boolean.pipe(orElse(true, "Whether the name has the prefix `__Host-`, which also needs `secure`.")),
  secure: Schema.Boolean.pipe(orElse(true, "Whether the cookie has the attribute `Secure`.")),
}

const SessionSettings = Schema.Struct({
  expires_in: Seconds.pipe(orElse(604_800, "Rolling lifetime, and `Max-Age` of the cookie, seconds.")),
  update_age: between(0, hundredYears).pipe(
    orElse(86_400, "A use of a session refreshes it if its last refresh was at least this many seconds ago."),
  ),
  fresh_age: Seconds.pipe(orElse(86_400, "Seconds for which a proof of identity allows sensitive changes.")),
  step_up_age: Seconds.pipe(
    orElse(
      600,
      "Seconds for which a proof of identity allows changes to second factors and passkeys; for users who have a second factor or a passkey, also all other sensitive changes. If `fresh_age` is shorter, it applies instead.",
    ),
  ),
  max_lifetime: Seconds.pipe(orElse(2_592_000, "The maximum age of a session, seconds from its sign-in, even if `expires_in` is longer.")),
  max_per_user: between(1, 1000).pipe(
    orElse(
      100,
      "The maximum number of sessions of one user (1 to 1000); a new session ends the oldest. A maximum above 10 is approximate: with each process of the service, the number can exceed it by a tenth.",
    ),
  ),
  notify_new_browser: flag(
    "Whether a mail tells users of a sign-in from a browser that they have not signed in with before, or not since they changed their password. It is sent after all factors, and neither at the first sign-in nor to guests. Clients that store no cookies are new browsers each time.",
  ),
})

/** The rules for passwords; `adapters/passwords/settings.ts` adds how they are hashed and which lists refuse them. */
export const emailPasswordFields = {
  enabled: flag("Users can sign up and sign in with an email address and a password."),
  min_password_length: Positive.pipe(orElse(8, "The minimum length of a password in Unicode code points.")),
  max_password_length: Positive.pipe(orElse(128, "The maximum length of a password in Unicode code points.")),
  require_email_verification: flag(
    "Whether sign-ins need a verified address ([what is refused](docs/configuration.md#email-verification)).",
  ),
}

const Budget = (limit: number, window: number) => section({ limit: Positive.pipe(orElse(limit)), window: Seconds.pipe(orElse(window)) })

const RateLimits = Schema.Struct({
  enabled: Schema.Boolean.pipe(orElse(true, "Whether the limits below apply.")),
  store: Schema.Literals(["memory", "store", "redis"]).pipe(
    orElse("memory", "`memory` counts in each process separately; `store` (in the database) and `redis` count for all processes together."),
  ),
  requests: Budget(300, 60).pipe(
    about(
      "Requests of one client address (IPv6: a network of 64 bits); `window` in seconds, here and below ([which requests count](docs/configuration.md#what-counts-against-the-address)).",
    ),
  ),
  session_requests: Budget(1200, 60).pipe(about("Requests with the signed credential of one session.")),
  client_requests: Budget(1200, 60).pipe(about("Requests of one client of `modules.idp`, with its secret or as an administrator.")),
  sign_in: Budget(10, 300).pipe(
    about(
      "Failed sign-ins of one identifier from one client network (24 bits of IPv4, 48 of IPv6), or from one browser that signed in before.",
    ),
  ),
  sign_in_total: Budget(100, 300).pipe(
    about(
      "Failed sign-ins of one identifier from all networks together; browsers that signed in before have a separate total of the same size per user.",
    ),
  ),
  proofs: Budget(10, 300).pipe(about("Wrong passwords and codes with which a signed-in user confirms operations, counted per sign-in.")),
  messages: Budget(5, 600).pipe(about("Messages for one purpose (verification, reset, code, link, …) to one recipient.")),
  invitations: Budget(30, 600).pipe(about("Invitations to organizations that one user, or the keys of one organization, send.")),
  sms: Budget(100, 3600).pipe(
    about(
      "Short messages that one client address requests (IPv6: a network of 64 bits) ([more](docs/configuration.md#budgets-of-messages)).",
    ),
  ),
  sms_country: Budget(500, 3600).pipe(
    about("Short messages to the numbers of one country: to numbers with an account, and the same to all others."),
  ),
  sms_total: Budget(1000, 3600).pipe(about("Short messages of the whole service: to numbers with an account, and the same to all others.")),
  mail: Budget(300, 3600).pipe(about("Mails that one client address requests (codes, links, resets, verifications, invitations).")),
  mail_total: Budget(5000, 3600).pipe(about("Requested mails of the whole service: to verified addresses, and the same to all others.")),
})

/** The address of a page, which has no default here. */
const page = (description: string) => Schema.optionalKey(Schema.String).pipe(about(description))

const Links = Schema.Struct({
  sign_in: page(
    "The page to which `/oauth2/authorize` sends users who have to sign in ([more](docs/configuration.md#pages-of-the-identity-provider)). Without it, clients get `login_required`. By default none; with [`pages`](docs/configuration.md#pages) the page for it.",
  ),
  create_account: page(
    "The page to which `/oauth2/authorize` sends users for a client with `prompt=create` ([more](docs/configuration.md#pages-of-the-identity-provider)). Without it, the value is unknown. By default none; with `pages` the page on which they sign up.",
  ),
  choose_account: page(
    "The page on which users choose the account for a client with `prompt=select_account` ([more](docs/configuration.md#pages-of-the-identity-provider)). Without it, clients get `account_selection_required`. By default none; with `pages` and `modules.multi_session` the page for it.",
  ),
  choose_organization: page(
    "The page on which users choose the organization for a client with the scope `organization` ([more](docs/configuration.md#pages-of-the-identity-provider)). Without it, clients get `interaction_required`. By default none; with `pages`, `modules.idp` and `modules.organization` the page for it.",
  ),
  consent: page(
    "The page on which users allow or deny what a client requests ([more](docs/configuration.md#pages-of-the-identity-provider)). Without it, clients that need a consent get `consent_required`. By default none; with `pages` the page for it.",
  ),
  existing_account: page(
    "The page to which a mail to the owner of a verified address links. The mail is sent if a visitor of the pages signs up with this address, or if a request `POST /send-verification-email` contains it. The responses are the same as for other addresses. Without a value, no mail is sent. By default none; with [`pages`](docs/configuration.md#pages) the sign-in page.",
  ),
  security: page(
    "The page on which users change their password and their other ways to sign in: mails about such changes have a button that leads there. By default none; with [`pages`](docs/configuration.md#pages) the page for it.",
  ),
  sign_out: page(
    "The page on which users confirm a sign-out that a client requests ([more](docs/configuration.md#pages-of-the-identity-provider)). Without it, only a client that sends an ID token of the session can end it. By default none; with `pages` the page for it.",
  ),
  device: page(
    "The page on which users enter the code of a device (RFC 8628; [endpoints](application/modules/idp/README.md)). `{user_code}` is required, as the value of the last query parameter: it is filled in for QR codes. Default: the page `/device` of `public_url`.",
  ),
  verify_email: page(
    "The URL in mails for the verification of an address ([links in mails](docs/configuration.md#links-in-mails)); `{token}` and `{email}` are filled in. Default: a page of `public_url`.",
  ),
  reset_password: page("The same for a reset of the password. Default: a page of `public_url`."),
  choose_password: page("The same for the first password of a user whom an administrator created. Default: `reset_password`."),
  change_email: page("The same for a change of the address. Default: a page of `public_url`."),
  magic_link: page("The same for links that sign in. Default: a page of `public_url`."),
  report_sign_in: page("The same for the report of a sign-in that was not the user's. Default: a page of `public_url`."),
  sign_up: page("The same for an administrator's invitation to sign up; `{email}` is filled in. Default: a page of `public_url`."),
  invitation: page(
    "The same for invitations to an organization; `{invitation_id}`, `{token}`, `{email}` and `{organization}` are filled in. Default: a page of `public_url`.",
  ),
})

const hexColour = Schema.String.check(Schema.isPattern(/^#[0-9a-fA-F]{6}$/, { expected: "a colour such as #3451b2" }))
export const Colour = Schema.Union([hexColour, Schema.Struct({ light: hexColour, dark: hexColour })]).pipe(
  Schema.annotate({ expected: "a colour such as #3451b2, or an object with `light` and `dark`" }),
  Schema.optionalKey,
)
export const PageUrl = Schema.String.check(
  Schema.makeFilter((text: string) => /^https?:$|^mailto:$/.test(URL.parse(text)?.protocol ?? ""), {
    expected: "a URL that begins with https://, http:// or mailto:",
  }),
).pipe(Schema.optionalKey)

/** The name of the service unless the configuration has one. */
export const defaultName = "Sallyport"

/** The name of the service, and its look in mails; `adapters/pages/settings.ts` adds that of the pages. */
export const brandingFields = {
  name: Schema.String.check(Schema.isPattern(/^[^\p{C}]{1,64}$/u, { expected: "a name of at most 64 characters" })).pipe(
    orElse(defaultName, "The name of the service in pages and mails."),
  ),
  colors: section({ brand: Colour, on_brand: Colour }),
  radius: Schema.String.check(Schema.isPattern(/^\d{1,3}(\.\d+)?(px|rem|em)$/, { expected: "a length such as 8px or 0.5rem" })).pipe(
    orElse("0.5rem", "The radius of corners."),
  ),
  font: Schema.String.check(Schema.isPattern(/^[\w\s"',-]{1,200}$/, { expected: "a list of font families" })).pipe(
    orElse(
      'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
      "Font families that the system of the user has; the pages load no fonts.",
    ),
  ),
  links: section({ support: PageUrl }),
}

const Domain = Schema.String.check(
  Schema.isPattern(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/, {
    expected: "a domain in lower case and ASCII, such as example.com or xn--bcher-kva.example",
  }),
)

/** The rules for new users. Existing users can sign in under every mode. */
const Registration = Schema.Struct({
  mode: Schema.Literals(["open", "invited", "closed"]).pipe(
    orElse("open"),
    about("Whether new users can sign up, by any method: always, only with an invitation, or never ([more](docs/refuse-sign-up.md))."),
  ),
  email: section({
    allow: Schema.optionalKey(Schema.NonEmptyArray(Domain)).pipe(
      about("The only domains, with their subdomains, whose addresses can sign up. Users without an address then cannot. Default: all."),
    ),
    block: Schema.Array(Domain).pipe(orElse([]), about("Domains, with their subdomains, whose addresses are refused, also if invited.")),
    block_disposable: Schema.Boolean.pipe(
      orElse(false),
      about("Refuses the domains of disposable mailboxes, by a list that this release contains."),
    ),
    block_subaddress: Schema.Boolean.pipe(orElse(false), about("Refuses addresses with a `+` before the `@`.")),
    lists: Schema.Array(Schema.NonEmptyString).pipe(
      orElse([]),
      about("Files with further domains to refuse, one a line; lines that begin with `#` are comments. Read at the start."),
    ),
  }),
})

const TestUsers = Schema.Struct({
  codes: Schema.Record(
    Schema.String,
    Schema.String.check(Schema.isPattern(/^\d{4,10}$/, { expected: "a code of 4 to 10 digits, as text" })),
  ).pipe(about("The codes, by addresses in lower case and by telephone numbers such as `+442079460018`.")),
  valid_until: Schema.optionalKey(Schema.DateTimeUtcFromString.annotate({ expected: "a time such as 2026-12-31T00:00:00Z" })).pipe(
    about("When the codes stop working. Required unless `public_url` is on this machine: at most 30 days ahead."),
  ),
})

/** The configuration that rules depend on. Adapters declare theirs in their `settings.ts`, and `adapters/config` joins all of them. */
export const fields = {
  public_url: Origin.pipe(
    orElse(
      "http://localhost:3000",
      "The origin at which users reach the service; the service derives links and its own trusted origin from it, never from a request.",
    ),
  ),
  base_path: Schema.String.check(
    Schema.isPattern(/^(\/[A-Za-z0-9._~-]+)*$/, {
      expected: "a path such as /api/auth, without a slash at its end; an empty text is the root",
    }),
  ).pipe(orElse("/api/auth", "The prefix of the paths of endpoints.")),
  trusted_origins: Schema.Array(TrustedOrigin).pipe(
    orElse([], "Further origins whose pages may call the service: exact, or `https://*.example.com`."),
  ),
  cookie: section(cookieFields),
  session: SessionSettings.pipe(orElse({})),
  email_password: section(emailPasswordFields),
  rate_limit: RateLimits.pipe(orElse({})),
  links: Links.pipe(orElse({})),
  branding: section(brandingFields),
  account: section({
    unverified_takeover: Schema.Literals(["reset", "keep"]).pipe(
      orElse(
        "reset",
        "What the first proof of an address does to the credentials of a never-verified account: `reset` removes them, because an attacker may have registered the account; `keep` keeps them.",
      ),
    ),
  }),
  test_users: Schema.optionalKey(TestUsers).pipe(
    about(
      "Users whose mailed or texted code is fixed, for reviewers of app stores and tests. Nothing is sent to them, they have no rights of administrators, and accounts that exist otherwise do not accept the code. Default: none.",
    ),
  ),
  registration: Schema.optionalKey(Registration).pipe(about("Which new users can sign up. Default: all.")),
} as const

const SettingsSchema = Schema.Struct(fields)
export type SettingsValue = typeof SettingsSchema.Type

/** Decodes the core's settings and fills in defaults. */
export const decode = Schema.decodeUnknownEffect(SettingsSchema)

export class Settings extends Context.Service<Settings, SettingsValue>()("sallyport/Settings") {}
