import { table } from "./markdown.ts"

/** A call of another system and what replaces it, each as code, or as words with a dot at their end. */
type Replaced = readonly [theirs: string, ours: string]

interface System {
  /** The package and the version whose types have these calls. */
  readonly packages: string
  /** The framework of `requireSession`. */
  readonly guard?: "express"
  readonly calls: ReadonlyArray<Replaced>
}

const session = "await serverSession(auth, await headers())"
const redirected = `client.signIn.social({ provider: "google", return_to: "/" })`
const signIn = "client.signIn.email({ email, password })"
const signUp = "client.signUp.email({ email, password })"
const reset = "client.requestPasswordReset({ email })"
const inPage = "useSession(client)"
const verify = "createVerifier({ issuer })(token)"
const guards = "[Each page and route](/frameworks/next/) asks for the session; `proxy.ts` only extends it."
const hooks = "[Gates and hooks](/guides/modules/), or [webhooks](/modules/events/) after the fact."

/** By the heading of the system in docs/moving-in.md. */
export const systems: Readonly<Record<string, System>> = {
  "better-auth": {
    packages: "better-auth 1.7.25",
    calls: [
      ["toNextJsHandler(auth)", "mount(auth)"],
      ["toNodeHandler(auth)", "nodeHandler(auth)"],
      ["auth.api.getSession({ headers })", "auth.getSession({ headers: request.headers }, { address })"],
      [
        "auth.api.signInEmail({ body: { email, password } })",
        "auth.call.signInEmail({ input: { email, password }, headers: request.headers })",
      ],
      ["nextCookies()", "writeCookies(result.headers, await cookies())"],
      ["createAuthClient()", "createClient()"],
      ["authClient.signIn.email({ email, password })", signIn],
      [`authClient.signIn.social({ provider: "google", callbackURL: "/" })`, redirected],
      ["authClient.useSession()", inPage],
      ["authClient.requestPasswordReset({ email, redirectTo })", reset],
      ["plugins: [twoFactor(), organization()]", "defineConfig({ modules: { two_factor: {}, organization: {} } })"],
      ["databaseHooks", hooks],
    ],
  },
  "Auth.js": {
    packages: "next-auth 4.24.15 and 5.0.0-beta.30",
    calls: [
      ["NextAuth(authOptions)", "mount(auth)"],
      ["await getServerSession(authOptions)", session],
      ["await auth()", session],
      ["useSession()", inPage],
      ["<SessionProvider>", "Nothing."],
      [`signIn("google")`, redirected],
      [`signIn("credentials", { email, password })`, signIn],
      ["signOut()", "client.signOut()"],
      ["export { auth as middleware }", guards],
      ["callbacks.signIn, events.createUser", hooks],
    ],
  },
  Clerk: {
    packages: "@clerk/nextjs 7.9.17",
    calls: [
      ["<ClerkProvider>", "Nothing."],
      ["clerkMiddleware()", guards],
      ["await auth()", session],
      ["await auth.protect()", "requireSession(auth)((_, { auth }) => Response.json(auth.user))"],
      ["await currentUser()", `(${session})?.user`],
      ["useUser()", inPage],
      ["<SignIn />", `<sallyport-sign-in client={client} methods="password passkey" />`],
      ["<UserButton />", "<sallyport-user-button client={client} />"],
      ["<OrganizationSwitcher />", "<sallyport-organization-switcher client={client} />"],
      ["verifyToken(token, options)", verify],
      ["verifyWebhook(request)", "The library Standard Webhooks ([signatures](/modules/events/))."],
    ],
  },
  Supabase: {
    packages: "@supabase/ssr 0.12.7 and @supabase/auth-js 2.109.0",
    calls: [
      ["createServerClient(url, key, { cookies })", "Nothing: the mount writes the cookies."],
      ["await supabase.auth.getUser()", session],
      ["await supabase.auth.getClaims(token)", verify],
      ["supabase.auth.signUp({ email, password })", signUp],
      ["supabase.auth.signInWithPassword({ email, password })", signIn],
      [`supabase.auth.signInWithOAuth({ provider: "google" })`, redirected],
      ["supabase.auth.signInWithOtp({ email })", "client.magicLink.send({ email })"],
      ["supabase.auth.resetPasswordForEmail(email)", reset],
      ["supabase.auth.onAuthStateChange(listener)", "client.$session.subscribe(listener)"],
      ["supabase.auth.signOut()", "client.signOut()"],
      [
        "auth.uid() in a policy",
        "`sub` of a token of the module [`jwt`](/modules/jwt/), which the database's API verifies by its public keys.",
      ],
    ],
  },
  Keycloak: {
    packages: "keycloak-js 26.2.4 and keycloak-connect 26.1.1",
    guard: "express",
    calls: [
      ["A client of the realm.", "`modules.idp.clients`, or `npx sallyport client create` ([identity provider](/modules/idp/))."],
      [
        "new Keycloak({ url, realm, clientId })",
        "A library for OpenID Connect with the issuer `{public_url}/api/auth`. In one application, the session and these calls are enough.",
      ],
      ["keycloak.login()", `<a href="/auth/sign-in?return_to=/">Sign in</a>`],
      ["keycloak.logout()", "client.signOut()"],
      ["keycloak.loadUserProfile()", "await client.getSession()"],
      ["keycloak.accountManagement()", `<a href="/auth/account">Account</a>`],
      ["keycloak.protect()", "app.use(requireSession(auth))"],
      [`keycloak.hasRealmRole("editor")`, `client.organization.hasPermission({ organization_id, permissions: { article: ["edit"] } })`],
      ["`keycloak.token`, for another service.", "client.token()"],
    ],
  },
  Firebase: {
    packages: "@firebase/auth 1.13.6 and firebase-admin 13.10.0",
    calls: [
      ["createUserWithEmailAndPassword(auth, email, password)", signUp],
      ["signInWithEmailAndPassword(auth, email, password)", signIn],
      ["signInWithPopup(auth, new GoogleAuthProvider())", redirected],
      ["onAuthStateChanged(auth, listener)", "client.$session.subscribe(listener)"],
      ["sendPasswordResetEmail(auth, email)", reset],
      ["signOut(auth)", "client.signOut()"],
      ["getIdToken(user)", "client.token()"],
      ["getAuth().verifyIdToken(token)", verify],
      ["getAuth().verifySessionCookie(cookie)", "auth.getSession({ headers: request.headers }, { address })"],
      ["getAuth().revokeRefreshTokens(uid)", "client.admin.revokeUserSessions({ user_id })"],
      ["getAuth().setCustomUserClaims(uid, claims)", "A table of your own, or the roles of [organizations](/modules/organization/)."],
    ],
  },
}

const isWords = (text: string) => text.endsWith(".")

/** What our side of the calls uses. */
const given = `import express from "express"
import { defineConfig, nodeHandler, type Sallyport } from "sallyport"
import { mount, serverSession, writeCookies } from "sallyport/backend/next"
import { createVerifier } from "sallyport/backend/verify-token"
import { createClient } from "sallyport/client"
import { useSession } from "sallyport/react"
const client = createClient()
const app = express()
declare const auth: Sallyport<{ modules: {} }>
declare const request: Request
declare const headers: () => Promise<Headers>
declare const cookies: () => Promise<{ set: (name: string, value: string, options: object) => void }>
declare const result: { headers: Headers }
declare const listener: () => void
declare const address: string, email: string, password: string, token: string, issuer: string
declare const user_id: string, organization_id: string
`

/** Our side of the calls of each system as a program, which the tests compile. */
export const replacements = Object.entries(systems).map(([heading, { calls, guard = "next" }]) => ({
  heading,
  given: `import { requireSession } from "sallyport/backend/${guard}"\n${given}`,
  text: calls
    .map(([, ours]) => ours)
    .filter((ours) => !isWords(ours))
    .map((ours) => `void (async () => (${ours}))`)
    .join("\n"),
}))

const codeSpan = (text: string) => `\`${text}\``

const callsOf = ({ packages, calls }: System): string =>
  [
    `The calls of ${packages} and what replaces them, the users, and the steps of the change.`,
    "## Calls",
    `\`client\` is [the client of pages](/guides/your-app/), \`auth\` the [mounted service](/frameworks/).`,
    table(
      ["Before", "After"],
      calls.map((call) => call.map((cell) => (isWords(cell) ? cell : codeSpan(cell)))),
    ),
  ].join("\n\n")

const cutOver = `## Cut-over

1. Import while the old system runs, first with \`--dry-run\`.
2. Switch sign-up and sign-in to the new code. Sessions are lost: each user signs in once.
3. Export and import again. This adds the users of the meantime; the others keep what they have.
4. Remove the old system. If your tables have its ids, \`import ids RUN\` maps them.

\`npx sallyport import undo RUN\` removes the users of a run; it keeps those who have [done something since](/moving-in/).`

/** The page of a system: its calls, its users (the section of docs/moving-in.md), and the steps. */
export const movingBody = (heading: string, users: string): string => {
  const system = systems[heading]
  return system === undefined ? users : [callsOf(system), `## Users\n\n${users.trim()}`, cutOver].join("\n\n")
}
