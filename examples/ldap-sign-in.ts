import { Effect, Option, Redacted, Schema } from "effect"
import { Client, EqualityFilter, InvalidCredentialsError } from "ldapts"
import {
  Accounts,
  countedPassword,
  Endpoint,
  Errors,
  Module,
  orElse,
  retryOnConflict,
  Store,
  signInByVerifiedEmail,
  signInUser,
  User,
} from "sallyport/module"
import { call, card, completeSignIn, field, form, html, identifierField, page, passwordField, text, Visit } from "sallyport/pages"

// Sign-in with the name and password of a directory (LDAP). `extensions: [ldapSignIn]` in a configuration file (.ts) enables it.

const Settings = Schema.Struct({
  /** ldaps://, or ldap:// with `start_tls`. */
  url: Schema.String,
  start_tls: Schema.Boolean.pipe(orElse(false)),
  /** The entry, and its password, that may search for users. */
  bind_dn: Schema.String,
  bind_password: Schema.RedactedFromValue(Schema.String),
  /** The entries below this one are users. */
  base_dn: Schema.String,
  /** The attributes with a user's name, with an id that never changes, and with the address. The directory answers for the address. */
  attributes: Schema.Struct({
    name: Schema.String.pipe(orElse("uid")),
    id: Schema.String.pipe(orElse("entryUUID")),
    email: Schema.String.pipe(orElse("mail")),
  }).pipe(orElse({})),
})
type Settings = typeof Settings.Type

const DirectoryUnavailable = Errors.define("directory_unavailable", 503, "The directory does not answer.", {
  remedy: "Try again later. The operator checks `url`, `bind_dn` and `bind_password`.",
})

/** Milliseconds. */
const patience = 5000

const connection = ({ url, start_tls }: Settings) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new Client({ url, timeout: patience, connectTimeout: patience })
        if (start_tls) await client.startTLS({ host: new URL(url).hostname })
        return client
      },
      catch: () => new DirectoryUnavailable(),
    }),
    (client) => Effect.ignore(Effect.tryPromise(() => client.unbind())),
  )

/** Whether this entry has this password. */
const binds = (client: Client, dn: string, password: string) =>
  Effect.tryPromise({ try: () => client.bind(dn, password), catch: (error) => error }).pipe(
    Effect.as(true),
    Effect.catch((error) => (error instanceof InvalidCredentialsError ? Effect.succeed(false) : Effect.fail(new DirectoryUnavailable()))),
  )

const textOf = (value: unknown): string => (Array.isArray(value) ? textOf(value[0]) : typeof value === "string" ? value : "")

/** The id, address and name of the entry with this name and password; none if there is no such entry. */
const authenticate = Effect.fnUntraced(function* authenticate(settings: Settings, name: string, password: string) {
  const { bind_dn, bind_password, base_dn, attributes } = settings
  const client = yield* connection(settings)
  if (!(yield* binds(client, bind_dn, Redacted.value(bind_password)))) return yield* new DirectoryUnavailable()
  const { searchEntries } = yield* Effect.tryPromise({
    try: () =>
      client.search(base_dn, {
        // Escapes the name: it could otherwise change the filter.
        filter: new EqualityFilter({ attribute: attributes.name, value: name }),
        attributes: [attributes.id, attributes.email, "cn"],
        sizeLimit: 2,
      }),
    catch: () => new DirectoryUnavailable(),
  })
  const [entry] = searchEntries.length === 1 ? searchEntries : []
  // An unknown name takes as long as a known one: the directory is asked for a password in both cases.
  const isRight = yield* binds(client, entry?.dn ?? `cn=nobody,${base_dn}`, password)
  if (!isRight || entry === undefined) return Option.none()
  const [id, email, common] = [entry[attributes.id], entry[attributes.email], entry["cn"]].map(textOf)
  return id && email ? Option.some({ id, email: email.toLowerCase(), name: common || null }) : Option.none()
}, Effect.scoped)

/** Signs in the user with this account, or the user of the address, who then gets the account; signs up a new user. */
const signInAs = Effect.fnUntraced(function* signInAs(entry: {
  readonly id: string
  readonly email: string
  readonly name: string | null
}) {
  const account = { provider_id: "ldap", account_id: entry.id }
  const linked = yield* (yield* Store).readWithReferenced(Accounts, account, "user_id")
  if (Option.isSome(linked)) return yield* signInUser(linked.value[1], [])
  return yield* signInByVerifiedEmail(entry.email, [], { name: entry.name, disable_signup: false, account })
})

const signIn = (settings: Settings) =>
  Endpoint.make({
    method: "POST",
    path: "/sign-in/ldap",
    summary: "Signs in with the name and password of the directory, and signs up new users.",
    access: "public",
    signsIn: "single_factor",
    methods: ["pwd"],
    input: Schema.Struct({ name: Schema.String, password: Schema.String }),
    output: Schema.Struct({ user: User }),
    errors: [Errors.InvalidCredentials, DirectoryUnavailable, ...Errors.notAdmitted],
    handler: Effect.fnUntraced(function* signInLdap({ name, password }) {
      const attempt = Effect.gen(function* () {
        // A directory accepts an empty password for any name, without checking anything (RFC 4513 section 5.1.2).
        const entry = password === "" ? Option.none() : yield* authenticate(settings, name, password)
        if (Option.isNone(entry)) return yield* new Errors.InvalidCredentials()
        const signedIn = yield* retryOnConflict(signInAs(entry.value))
        return Option.isNone(signedIn) ? yield* new Errors.InvalidCredentials() : signedIn.value
      })
      const typed = { kind: "ldap", name: name.toLowerCase(), owner: Effect.succeedNone } as const
      const issued = yield* countedPassword(typed)(attempt)
      return Endpoint.reply({ user: issued.user }, issued)
    }),
  })

const catalogs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: {
    "ldap_sign_in.title": "Sign in with your company account",
    "ldap_sign_in.name": "Company user name",
    "error.directory_unavailable": "The directory does not answer. Try again later.",
  },
  de: {
    "ldap_sign_in.title": "Mit dem Firmenkonto anmelden",
    "ldap_sign_in.name": "Firmen-Benutzername",
    "error.directory_unavailable": "Das Verzeichnis antwortet nicht. Bitte später erneut versuchen.",
  },
}

const signInPage = (endpoint: ReturnType<typeof signIn>) =>
  page({
    path: "/sign-in/ldap",
    endpoints: [endpoint],
    access: "public",
    signIn: "ldap_sign_in.title",
    show: Effect.map(Visit, ({ view }) => {
      const name = identifierField(view, { name: "name", label: text(view, "ldap_sign_in.name") }, { passkeys: false })
      const body = html`${name}${passwordField(view)}`
      const title = text(view, "ldap_sign_in.title")
      return { title, main: card(view, title, form(view, { action: "sign_in", submit: view.texts.t("sign_in.submit"), body })) }
    }),
    actions: {
      sign_in: Effect.flatMap(Visit, ({ form }) =>
        Effect.flatMap(call(endpoint, { name: field(form, "name").trim(), password: field(form, "password") }), completeSignIn),
      ),
    },
  })

export const ldapSignIn = Module.define({
  name: "ldap_sign_in",
  settings: Settings,
  errors: [DirectoryUnavailable],
  texts: async (tag) => catalogs[tag] ?? {},
  parts: (settings) => {
    const endpoint = signIn(settings)
    return { endpoints: [endpoint], pages: [signInPage(endpoint)] }
  },
})
