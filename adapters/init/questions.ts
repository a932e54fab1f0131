import { Effect, Option } from "effect"
import { Prompt } from "effect/cli"
import { codes } from "../process/start-faults.ts"
import { stop } from "../process/stop.ts"
import {
  type Choices,
  type Framework,
  frameworks,
  type Layout,
  layouts,
  type Method,
  methods,
  type Store,
  stores,
  titles,
} from "./choices.ts"
import type { Project } from "./project.ts"

/** The flags that answer the questions. */
export interface Given {
  readonly framework: Option.Option<Framework>
  readonly layout: Option.Option<Layout>
  readonly store: Option.Option<Store>
  readonly methods: Option.Option<string>
}

const usual: ReadonlyArray<Method> = ["password", "passkey"]

const select = <A extends Framework | Layout | Store>(message: string, values: ReadonlyArray<A>, first: A | undefined) =>
  Prompt.Select({
    message,
    choices: [...values].sort((a, b) => Number(b === first) - Number(a === first)).map((value) => ({ title: titles[value], value })),
  })

const isMethod = (name: string): name is Method => methods.some((method) => method === name)

const methodsOf = Effect.fnUntraced(function* methodsOf(text: string) {
  const names = text.split(",").map((name) => name.trim())
  const wrong = names.filter((name) => !isMethod(name))
  if (wrong.length > 0) return yield* stop(`--with: found ${wrong.join(", ")}, wanted some of ${methods.join(", ")}.`, codes.usage)
  return methods.filter((method) => names.includes(method))
})

/** The framework, if package.json names exactly one. */
const found = ({ frameworks: [first, ...others] }: Project) => (others.length === 0 ? first : undefined)

/** Asks at the terminal what no flag answers and package.json does not tell. */
export const ask = Effect.fnUntraced(function* ask(project: Project, given: Given) {
  const framework =
    Option.getOrUndefined(given.framework) ??
    found(project) ??
    (yield* select("Framework", frameworks, project.frameworks[0] ?? "separate"))
  const layout =
    framework === "separate"
      ? "proxy"
      : (Option.getOrUndefined(given.layout) ?? (yield* select("Where does Sallyport run?", layouts, "mount")))
  const store = Option.getOrUndefined(given.store) ?? (yield* select("Database", stores, project.store))
  const named = Option.isSome(given.methods) ? yield* methodsOf(given.methods.value) : undefined
  const choices = methods.map((value) => ({ title: titles[value], value, selected: usual.includes(value) }))
  return {
    framework,
    layout,
    store,
    methods: named ?? (yield* Prompt.MultiSelect({ message: "Ways to sign in", choices, min: 1 })),
  } satisfies Choices
})

/** The answers without questions. Defaults need `--yes`, and a confirmation as well. */
export const answers = Effect.fnUntraced(function* answers(project: Project, given: Given, yes: boolean, writes: boolean) {
  const framework = Option.getOrUndefined(given.framework) ?? found(project)
  const named = Option.isSome(given.methods) ? yield* methodsOf(given.methods.value) : undefined
  const isSeparate = framework === "separate"
  const missing = [
    ...(framework === undefined ? [`--framework ${frameworks.join("|")}`] : []),
    ...(yes || isSeparate || Option.isSome(given.layout) ? [] : [`--layout ${layouts.join("|")}`]),
    ...(yes || Option.isSome(given.store) ? [] : [`--store ${stores.join("|")}`]),
    ...(yes || named !== undefined ? [] : [`--with ${methods.join(",")}`]),
    ...(yes || !writes ? [] : ["--yes, with which the others have defaults"]),
  ]
  if (framework === undefined || missing.length > 0)
    return yield* stop(["This command asks nothing here. Add these flags:", ...missing.map((name) => `  ${name}`)].join("\n"), codes.usage)
  return {
    framework,
    layout: isSeparate ? "proxy" : Option.getOrElse(given.layout, () => "mount"),
    store: Option.getOrElse(given.store, () => project.store),
    methods: named ?? usual,
  } satisfies Choices
})
