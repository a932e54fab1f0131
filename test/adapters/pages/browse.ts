import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { AnyModule } from "../../../application/service/module.ts"
import { modules as everything } from "../../everything.ts"
import { password, whileTimePasses, withVerified } from "../../world.ts"
import type { Answer } from "../http/served.ts"
import { ask, base, served } from "../http/served.ts"

/** The origin of the service in tests. */
export const origin = "http://localhost:3000"

/** The service with its pages. */
export const withPages = (modules: ReadonlyArray<AnyModule> = everything, settings: Record<string, unknown> = {}) =>
  served({ modules, settings, pages: {}, providers: ["idp_one"] })

/** A form of a page: where it goes, the values that it has, and the labels of its buttons by their actions. */
export interface Form {
  readonly to: string
  readonly values: Readonly<Record<string, string>>
  /** The names of its fields, without the hidden ones. */
  readonly fields: ReadonlyArray<string>
  readonly buttons: Readonly<Record<string, string>>
}

/** A page as a person sees it. */
export interface Shown {
  readonly status: number
  /** The path and query of its address. */
  readonly at: string
  readonly html: string
  /** The text of the content, without header and footer. */
  readonly text: string
  readonly title: string
  readonly heading: string
  /** The text of the summary of problems; empty without one. */
  readonly problem: string
  readonly notice: string
  /** Those above the footer. */
  readonly forms: ReadonlyArray<Form>
  readonly answer: Answer
  /** The addresses of redirects on the way here. */
  readonly via: ReadonlyArray<string>
}

const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&")

const textOf = (html: string) =>
  unescaped(html.replaceAll("<wbr>", "").replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim()

const attribute = (tag: string, name: string) => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : unescaped(value)
}

/** The texts of a form's larger fields. */
const textsIn = (body: string) =>
  [...body.matchAll(/<textarea ([^>]*)>([\s\S]*?)<\/textarea>/g)].map(
    ([, opening = "", text = ""]) => [attribute(` ${opening}`, "name") ?? "", unescaped(text)] as const,
  )

/** The chosen options of a form's lists. */
const chosenIn = (body: string) =>
  [...body.matchAll(/<select ([^>]*)>([\s\S]*?)<\/select>/g)].map(([, opening = "", options = ""]) => {
    const list = [...options.matchAll(/<option [^>]*>/g)].map(([tag]) => tag)
    const chosen = list.find((tag) => / selected/.test(tag)) ?? list[0] ?? ""
    return [attribute(` ${opening}`, "name") ?? "", attribute(chosen, "value") ?? ""] as const
  })

/** The buttons outside of a form that belong to it. */
const buttonsOf = (html: string, form: string | undefined) =>
  form === undefined ? [] : [...html.matchAll(/<button [^>]*>[\s\S]*?<\/button>/g)].filter(([tag]) => attribute(tag, "form") === form)

const formsIn = (html: string): ReadonlyArray<Form> =>
  [...html.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g)].map(([, opening = "", inside = ""]) => {
    const body = [inside, ...buttonsOf(html, attribute(` ${opening}`, "id"))].join("")
    const inputs = [...body.matchAll(/<input [^>]*>/g)].map(([tag]) => tag)
    const sent = inputs.filter((tag) => attribute(tag, "type") !== "checkbox" || / checked/.test(tag))
    const entry = (tag: string) => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""] as const
    return {
      to: attribute(` ${opening}`, "action") ?? "",
      values: Object.fromEntries([...sent.map(entry), ...chosenIn(body), ...textsIn(body)]),
      fields: inputs.flatMap((tag) => (attribute(tag, "type") === "hidden" ? [] : [attribute(tag, "name") ?? ""])),
      buttons: Object.fromEntries(
        [...body.matchAll(/<button ([^>]*)>([\s\S]*?)<\/button>/g)].flatMap(([, tag = "", label = ""]) => {
          const action = attribute(` ${tag}`, "value")
          return action === undefined ? [] : [[action, textOf(label)]]
        }),
      ),
    }
  })

const between = (html: string, opening: RegExp, closing: string) => {
  const start = opening.exec(html)
  if (start === null) return ""
  const rest = html.slice(start.index + start[0].length)
  return textOf(rest.slice(0, rest.indexOf(closing)))
}

const shownAs = (answer: Answer, at: string, via: ReadonlyArray<string>): Shown => ({
  status: answer.status,
  at,
  via,
  answer,
  html: answer.text,
  text: between(answer.text, /<main[^>]*>/, "</main>"),
  title: between(answer.text, /<title>/, "</title>"),
  heading: between(answer.text, /<h1>/, "</h1>"),
  problem: between(answer.text, /class="summary"[^>]*><h2>[^<]*<\/h2>/, "</div>"),
  notice: between(answer.text, /class="notice"[^>]*>/, "</div>"),
  forms: formsIn(answer.text.replace(/<footer[\s\S]*<\/footer>/, "")),
})

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0"

/** A browser without scripts: it keeps cookies, follows redirects of its own origin, and submits forms by their buttons. */
export const browse = () => {
  const cookies = new Map<string, string>()

  const cookie = () => (cookies.size === 0 ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") })

  /** One request, without following its redirect. */
  const request = Effect.fnUntraced(function* request(method: string, path: string, fields?: Record<string, string>, more: object = {}) {
    const headers = {
      accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
      "user-agent": userAgent,
      ...cookie(),
      ...(fields === undefined ? {} : { origin, "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }),
      ...more,
    }
    const body = fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }
    return kept(yield* ask(method, path, { headers, ...body }))
  })

  /** Keeps the cookies of an answer. */
  const kept = (answer: Answer) => {
    for (const cookie of answer.headers["set-cookie"] ?? []) {
      const [pair = ""] = cookie.split(";")
      const [name = "", ...value] = pair.split("=")
      if (/max-age=0/i.test(cookie)) cookies.delete(name)
      else cookies.set(name, value.join("="))
    }
    return answer
  }

  /** Calls an endpoint with the session of the browser, as a script of the service's own origin does. Without input, by GET. */
  const api = Effect.fnUntraced(function* api(path: string, input?: object) {
    const headers = { ...cookie(), origin, "user-agent": userAgent }
    const sent = input === undefined ? { headers } : { headers, body: JSON.stringify(input) }
    const answer = kept(yield* ask(input === undefined ? "GET" : "POST", `${base}${path}`, sent))
    assert.strictEqual(answer.status, 200, `${path}: ${answer.text}`)
    return answer.json
  })

  const follow = Effect.fnUntraced(function* follow(first: Answer, from: string) {
    let [answer, at] = [first, from]
    const via: Array<string> = []
    while (answer.status === 303 || answer.status === 302) {
      at = answer.headers.location ?? ""
      via.push(at)
      assert.isBelow(via.length, 10, `redirects without an end: ${via.join(" ")}`)
      if (!at.startsWith("/")) break
      answer = yield* request("GET", at)
    }
    return shownAs(answer, at, via)
  })

  const open = (path: string) => Effect.flatMap(request("GET", path), (answer) => follow(answer, path))

  /** The form with a button for this action; `has` chooses between several forms. */
  const formOf = ({ forms, heading, at }: Shown, action: string, has: Form["values"] = {}): Form => {
    const form = forms.find(
      ({ buttons, values }) => action in buttons && Object.entries(has).every(([name, value]) => values[name] === value),
    )
    return form ?? assert.fail(`the page "${heading}" at ${at} has no button for ${action}`)
  }

  /** Presses the button of an action, with these values in the fields of its form. */
  const press = Effect.fnUntraced(function* press(
    page: Shown,
    action: string,
    entered: Record<string, string> = {},
    has: Form["values"] = {},
  ) {
    const form = formOf(page, action, has)
    for (const name of Object.keys(entered)) assert.isTrue(name in form.values || form.fields.includes(name), `no field ${name}`)
    return yield* follow(yield* request("POST", form.to, { ...form.values, ...entered, action }), form.to)
  })

  return { cookies, request, api, open, press, formOf }
}
export type Browse = ReturnType<typeof browse>

/** Sends the same requests at once; time passes while the repetitions of a form wait for the first. */
export const atOnce = <A, E, R>(requests: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  whileTimePasses(Effect.all(requests, { concurrency: "unbounded" }))

/** Signs up by the page. */
export const signUp = Effect.fnUntraced(function* signUp(browser: Browse, email = "ada@example.com") {
  return yield* browser.press(yield* browser.open("/sign-up"), "sign_up", { email, new_password: password })
})

/** A new user with a verified address, in their browser. */
export const signedUp = Effect.fnUntraced(function* signedUp(email: string, name = "") {
  const their = browse()
  const { user } = yield* their.api("/sign-up/email", { email, password, ...(name === "" ? {} : { name }) })
  yield* withVerified(user.id)
  return { ...their, user: user as { readonly id: string; readonly email: string } }
})

/** Signs in by the page. */
export const signIn = Effect.fnUntraced(function* signIn(browser: Browse, identifier = "ada@example.com", typed = password) {
  return yield* browser.press(yield* browser.open("/sign-in?another=yes"), "password", { identifier, password: typed })
})

/** The address of the user whom the browser is signed in as; null without a session. */
export const addressOf = Effect.fnUntraced(function* addressOf({ api }: Browse) {
  const { user } = yield* api("/get-session")
  return (user?.email ?? null) as string | null
})

export const lastUsedName = "__Host-last_used"

/** The way in which the browser signed in last, by its cookie, which has nothing else; null without one. */
export const lastUsedBy = ({ cookies }: Browse): string | null => {
  const [text = ""] = cookies.get(lastUsedName)?.split(".") ?? []
  if (text === "") return null
  const { method, ...rest } = JSON.parse(Buffer.from(text, "base64url").toString("utf8"))
  assert.deepStrictEqual(rest, {})
  return method
}
