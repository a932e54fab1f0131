import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { AnyModule } from "../../../application/service/module.ts"
import { modules as everything } from "../../everything.ts"
import { password, withVerified } from "../../world.ts"
import type { Answer } from "../http/served.ts"
import { ask, base, served } from "../http/served.ts"

/** The origin of the service in tests. */
export const origin = "http://localhost:3000"

/** The service with its pages. */
export const withPages = (modules: ReadonlyArray<AnyModule> = everything, settings: Record<string, unknown> = {}) =>
  served({ modules, settings, pages: {}, providers: ["idp_one"] })

/** A page as a browser shows it. */
export interface Shown {
  readonly status: number
  /** The address after redirects. */
  readonly path: string
  readonly html: string
  /** The text without markup. */
  readonly text: string
  readonly answer: Answer
}

type Fields = Readonly<Record<string, string>>

interface FormOnPage {
  readonly to: string
  readonly actions: ReadonlyArray<string>
  readonly fields: Fields
}

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" }
const plain = (html: string) => html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)

const attribute = (tag: string, name: string) => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : plain(value)
}

const tags = (html: string, name: string) => html.match(new RegExp(`<${name}\\b[^>]*>`, "g")) ?? []

const chosen = (html: string) =>
  [...html.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)].map(([, head = "", options = ""]) => {
    const list = tags(options, "option")
    const option = list.find((each) => / selected/.test(each)) ?? list[0] ?? ""
    return [attribute(` ${head}`, "name") ?? "", attribute(option, "value") ?? ""] as const
  })

/** The forms of a page, with the values that a browser sends unless the user changes them. */
export const formsOf = (html: string): ReadonlyArray<FormOnPage> =>
  [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = "", inner = ""]) => {
    const inputs = tags(inner, "input").filter((tag) => attribute(tag, "type") !== "checkbox" || / checked/.test(tag))
    const values = inputs.map((tag) => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""] as const)
    const actions = tags(inner, "button").flatMap((tag) => (attribute(tag, "name") === "action" ? [attribute(tag, "value") ?? ""] : []))
    return { to: attribute(` ${head}`, "action") ?? "", actions, fields: Object.fromEntries([...values, ...chosen(inner)]) }
  })

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0"

/** A browser with its cookies. */
export const browser = () => {
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ")

  const keep = ({ headers }: Answer) => {
    for (const set of headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === "") jar.delete(name)
      else jar.set(name, value)
    }
  }

  const send = Effect.fnUntraced(function* (method: string, path: string, body?: Fields, from = origin) {
    const headers = { cookie: cookie(), "user-agent": firefox }
    const form = { ...headers, origin: from, "content-type": "application/x-www-form-urlencoded" }
    const answer = yield* ask(
      method,
      path,
      body === undefined ? { headers } : { headers: form, body: new URLSearchParams(body).toString() },
    )
    keep(answer)
    return answer
  })

  const follow = Effect.fnUntraced(function* (path: string, first: Answer) {
    let [answer, at] = [first, path]
    for (let steps = 0; answer.status === 303 && steps < 5; steps++) {
      at = answer.headers.location ?? ""
      answer = yield* send("GET", at)
    }
    const [main = answer.text] = /<main\b.*<\/main>/s.exec(answer.text) ?? []
    const text = plain(main.replaceAll(/<[^>]*>/g, " ")).replaceAll(/\s+/g, " ")
    const shown: Shown = { status: answer.status, path: at, html: answer.text, text, answer }
    return shown
  })

  /** Opens a page. */
  const open = Effect.fnUntraced(function* (path: string) {
    return yield* follow(path, yield* send("GET", path))
  })

  /** Presses the button with this action; `has` chooses between several forms. */
  const press = Effect.fnUntraced(function* (page: Shown, action: string, entered: Fields = {}, has: Fields = {}) {
    const form = formsOf(page.html).find(
      ({ actions, fields }) => actions.includes(action) && Object.entries(has).every(([name, value]) => fields[name] === value),
    )
    assert.isDefined(form, `no button ${action} on ${page.path}: ${page.text.slice(0, 300)}`)
    return yield* follow(form?.to ?? "", yield* send("POST", form?.to ?? "", { ...form?.fields, ...entered, action }))
  })

  /** Sends JSON to an endpoint, under the session of this browser. */
  const api = Effect.fnUntraced(function* (method: "GET" | "POST", path: string, input: object = {}) {
    const headers = { cookie: cookie(), origin, "user-agent": firefox }
    const answer = yield* ask(method, `${base}${path}`, method === "GET" ? { headers } : { headers, body: JSON.stringify(input) })
    keep(answer)
    assert.strictEqual(answer.status, 200, `${path}: ${answer.text}`)
    return answer.json
  })
  return { jar, send, open, press, api }
}
export type Browser = ReturnType<typeof browser>

/** A new user with a verified address, in their browser. */
export const signedUp = Effect.fnUntraced(function* (email: string, name = "") {
  const their = browser()
  const { user } = yield* their.api("POST", "/sign-up/email", { email, password, ...(name === "" ? {} : { name }) })
  yield* withVerified(user.id)
  return { ...their, user: user as { readonly id: string; readonly email: string } }
})
