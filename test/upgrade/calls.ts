// Requests to a service of any release, which imports nothing of the service.

/** A message that the service has sent. */
interface Message {
  readonly to: string
  readonly text: string
}

type Body = Readonly<Record<string, any>>

export interface Answer {
  readonly status: number
  readonly body: Body
  /** The session that the answer begins. */
  readonly token: string
  /** The cookies that the answer sets, as a browser sends them back. */
  readonly cookie: string
  /** The query of the URL that the answer redirects to. */
  readonly redirect: Body
}

/** A session, by its bearer token, or headers. */
type As = string | Readonly<Record<string, string>>

/** Sends a request: a form with `URLSearchParams`, JSON with an object, else GET. */
export type Call = (path: string, body?: object, as?: As) => Promise<Answer>

/** The origin of the service, as its configuration has it. */
export const origin = "http://localhost:4350"

export const caller =
  (send: (request: Request) => Promise<Response>): Call =>
  async (path, body, as) => {
    const headers = {
      origin,
      ...(body === undefined || body instanceof URLSearchParams ? {} : { "content-type": "application/json" }),
      ...(typeof as === "string" ? { authorization: `Bearer ${as}` } : as),
    }
    const text = body instanceof URLSearchParams ? body : JSON.stringify(body)
    const sent = body === undefined ? { headers } : { method: "POST", headers, body: text }
    const response = await send(new Request(`${origin}/api/auth${path}`, { ...sent, redirect: "manual" }))
    const location = response.headers.get("location")
    return {
      status: response.status,
      body: await response.json().catch(() => ({})),
      token: response.headers.get("set-auth-token") ?? "",
      cookie: response.headers
        .getSetCookie()
        .map((each) => each.split(";")[0])
        .join("; "),
      redirect: location === null ? {} : Object.fromEntries(new URL(location, origin).searchParams),
    }
  }

export const password = "correct horse battery staple"
export const of = (name: string) => ({ email: `${name}@example.com`, password })

/** What `fill` of a kind uses: calls that throw unless they succeed, and the messages that the service sends. */
export const makerOf = (call: Call, sentTo: (to: string, about: RegExp) => Promise<Message>) => {
  const ok: Call = async (...request) => {
    const answer = await call(...request)
    if (answer.status >= 400) throw new Error(`${request[0]}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  const signedUp = (name: string) => ok("/sign-up/email", { ...of(name), name })
  const tokenTo = async (email: string, about = /./): Promise<string> =>
    (await sentTo(email, about)).text.match(/token=([\w.~-]+)/)?.[1] ?? ""
  return {
    ok,
    tokenTo,
    codeTo: async (to: string): Promise<string> => (await sentTo(to, /./)).text.match(/\b(\d{6})\b/)?.[1] ?? "",
    signedUp,
    signUp: async (name: string) => (await signedUp(name)).token,
    verified: async (name: string) => {
      const { token } = await signedUp(name)
      const { email } = of(name)
      await ok("/send-verification-email", { email })
      await ok("/verify-email", { token: await tokenTo(email) })
      return token
    },
  }
}
export type Maker = ReturnType<typeof makerOf>

/** What the checks of a kind use. */
export interface Checker {
  readonly call: Call
  readonly statusOf: (...request: Parameters<Call>) => Promise<number>
  /** The service's clock, in milliseconds. */
  readonly now: () => number
  /** The bodies that the receiver of webhooks has got. */
  readonly delivered: () => ReadonlyArray<string>
}

/** Kinds of things that clients hold: `fill` makes them with one release, `checks` uses them with another one, and gets 200 or true. */
export interface Kind<H> {
  readonly fill: (maker: Maker) => Promise<H>
  readonly checks: (checker: Checker, held: H) => Readonly<Record<string, () => Promise<unknown>>>
}
export const kind = <H>(one: Kind<H>): Kind<H> => one
