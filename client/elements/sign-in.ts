import type { Result } from "../http.ts"
import type { Operations, TwoFactorChallenge, User } from "../operations.ts"
import { signInWithPasskey } from "../passkeys.ts"
import type { SessionOf, WithSession } from "../session.ts"
import type { SessionState } from "../session-store.ts"
import { Component, define } from "./component.ts"
import { el } from "./dom.ts"
import { errorText } from "./errors.ts"
import { field, formOf, submit } from "./forms.ts"
import { providerName } from "./provider-name.ts"
import type { Texts } from "./texts.ts"

type Client = WithSession & { readonly signIn: Partial<Operations["signIn"]> } & Partial<
    Pick<Operations, "passkey" | "magicLink" | "2fa" | "sendVerificationEmail">
  >
type SignedIn = { readonly user: User } | TwoFactorChallenge | { readonly challenge_token: string }

/** The service forgets the challenge of a passkey after 5 minutes, and browsers do not end their offer then. */
const renewal = 225_000

const link = (text: string, href: string) => el("a", { href }, text)

/** Keeps a name from changing the direction of the sentence around it. */
const isolate = (text: string) => `\u2068${text}\u2069`

/**
 * A form to sign in by `methods` (`password`, `passkey`, `magic_link`; by default `password`) and `providers` (ids). A code of an
 * authenticator app is asked for here; every other challenge continues on the pages. Event `sign-in`.
 */
export class SignIn extends Component<Client> {
  #offer: AbortController | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#offer?.abort()
  }

  protected draw(client: Client, t: Texts, session: SessionState<SessionOf>): unknown {
    if (session.status === "pending") return undefined
    this.#offer?.abort()
    if (session.status === "anonymous") {
      const failed = new URLSearchParams(location.search).has("sign_in_failed")
      return this.#start(client, t, failed ? t("error.provider") : "")
    }
    const { name, email } = session.user
    const text = t("signed_in.text", { user: isolate(name ?? email) })
    const { target } = this
    return this.show(el("p", { role: "status", tabIndex: -1 }, text), ...(target ? [link(t("signed_in.continue"), target)] : []))
  }

  #has(method: string) {
    return (this.getAttribute("methods") ?? "password").split(/\s+/).includes(method)
  }

  #start(client: Client, t: Texts, problem = "") {
    const [hasPassword, hasLink, hasPasskey] = ["password", "magic_link", "passkey"].map((method) => this.#has(method))
    const providers = this.getAttribute("providers")?.match(/\S+/g) ?? []
    const autocomplete = hasPasskey ? "username webauthn" : "username"
    const email = field(t("sign_in.identifier.email"), { type: "email", name: "email", autocomplete, maxLength: 254, dir: "ltr" })
    const password = field(t("field.password"), { type: "password", name: "password", autocomplete: "current-password" })
    const [forgot, signUp] = [this.page("forgot-password"), this.page("sign-up")]

    const work = async (pressed: string): Promise<string | undefined> => {
      const to = { email: email.input.value.trim() }
      if (pressed === "password") {
        const result = await client.signIn.email?.({ ...to, password: password.input.value })
        if (result?.error?.code !== "email_not_verified") return this.#settle(client, t, result)
        await client.sendVerificationEmail?.(to)
        return `${errorText(t, result.error)} ${t("sent.verify", { to: isolate(to.email) })}`
      }
      if (pressed === "magic_link") {
        if (!email.input.reportValidity()) return
        const { data, error } = (await client.magicLink?.send(to)) ?? {}
        if (!data) return errorText(t, error)
        this.#offer?.abort()
        return this.show(el("p", { role: "status", tabIndex: -1 }, t("sent.magic_link", { to: isolate(to.email) }))) as undefined
      }
      this.#offer?.abort()
      if (pressed !== "passkey") return this.#goToProvider(client, t, pressed)
      const result = await this.#passkey(client)
      if (!result?.data) void this.#offerPasskeys(client, t)
      return this.#settle(client, t, result)
    }

    this.show(
      formOf(
        problem,
        work,
        ...(hasPassword || hasLink ? email.nodes : []),
        ...(hasPassword ? password.nodes : []),
        ...(hasPassword && forgot ? [link(t("sign_in.forgot"), forgot)] : []),
        ...(hasPassword ? [submit(t("sign_in.submit"), "password")] : []),
        ...(hasLink ? [submit(t("sign_in.magic_link"), "magic_link", hasPassword ? "second" : "", true)] : []),
        ...((hasPassword || hasLink) && (hasPasskey || providers.length) ? [el("p", { className: "or" }, t("or"))] : []),
        ...(hasPasskey ? [submit(t("sign_in.passkey"), "passkey", "second", true)] : []),
        ...providers.map((id) => submit(t("sign_in.provider", { provider: providerName(id) }), id, "second", true)),
      ),
      ...(hasPassword && signUp ? [el("p", {}, t("sign_in.no_account"), " ", link(t("sign_in.sign_up"), signUp))] : []),
    )
    if (hasPasskey) void this.#offerPasskeys(client, t)
  }

  /** Ends the sign-in, or continues with its challenge. Returns why it was refused. */
  #settle(client: Client, t: Texts, result: Result<SignedIn, string> | undefined): string | undefined {
    const { data, error } = result ?? {}
    if (!data) return error?.code === "cancelled" ? undefined : errorText(t, error)
    this.#offer?.abort()
    if ("user" in data) this.finish("sign-in", data.user)
    else if ("methods" in data && data.methods.includes("totp") && client["2fa"]) this.#askForCode(client, t, data)
    else {
      // The challenge belongs to this page's request, so the pages start with a sign-in of their own.
      const page = this.page("sign-in", { return_to: this.target ?? location.href })
      if (!page) return t("unknown_challenge.text")
      location.assign(page)
    }
    return undefined
  }

  #askForCode(client: Client, t: Texts, challenge: TwoFactorChallenge, isBackup = false) {
    const { challenge_token, methods } = challenge
    const { input, nodes } = isBackup
      ? field(t("recovery_code.field"), { name: "code", autocomplete: "off", dir: "ltr" })
      : field(t("field.code"), { name: "code", autocomplete: "one-time-code", inputMode: "numeric", dir: "ltr" })
    const work = async (pressed: string): Promise<string | undefined> => {
      if (pressed !== "code") return this.#askForCode(client, t, challenge, !isBackup) as undefined
      const code = input.value.replace(/[\s\p{Pd}.]/gu, "")
      const result = await client["2fa"]?.totp.challenge({ challenge_token, ...(isBackup ? { backup_code: input.value } : { code }) })
      if (result?.error?.code === "rate_limited") return t("two_factor.locked")
      if (result?.error?.code !== "invalid_token") return this.#settle(client, t, result)
      return this.#start(client, t, t("error.start_again")) as undefined
    }
    const other = isBackup ? t("recovery_code.back") : t("two_factor.recovery")
    this.show(
      el("p", {}, isBackup ? t("recovery_code.hint") : t("two_factor.text")),
      formOf(
        "",
        work,
        ...nodes,
        submit(t("two_factor.submit"), "code"),
        ...(methods.includes("backup_code") ? [submit(other, "other", "second", true)] : []),
      ),
    )
  }

  async #goToProvider({ signIn }: Client, t: Texts, provider: string): Promise<string | undefined> {
    const here = new URL(location.href)
    const failed = new URL(here)
    failed.searchParams.set("sign_in_failed", "")
    for (const name of ["error", "sign_in_failed"]) here.searchParams.delete(name)
    const { data, error } = (await signIn.social?.({ provider, return_to: this.target ?? here.href, error_return_to: failed.href })) ?? {}
    if (!data) return errorText(t, error)
    location.assign(data.url)
    return undefined
  }

  async #passkey({ passkey }: Client, autofill = false): Promise<Result<SignedIn, string> | undefined> {
    const offer = new AbortController()
    const { signal } = offer
    this.#offer = offer
    return passkey && (signInWithPasskey({ passkey }, { autofill, signal }) as Promise<Result<SignedIn, string>>)
  }

  /** Offers passkeys in the list of names of the field, until the user signs in by another way. */
  async #offerPasskeys(client: Client, t: Texts): Promise<void> {
    this.#offer?.abort()
    if (!this.querySelector("[autocomplete$=webauthn]") || !(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()))
      return
    const again = () => void this.#offerPasskeys(client, t)
    const timer = setTimeout(again, renewal)
    const result = await this.#passkey(client, true)
    clearTimeout(timer)
    if (result?.error?.code === "invalid_passkey") {
      this.querySelector("[role=alert]")?.replaceChildren(errorText(t, result.error))
      again()
    } else if (result?.data) this.#settle(client, t, result)
  }
}

define("sallyport-sign-in", SignIn)
