import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { PageState } from "./state.ts"

/** Files of this folder without states. */
const others = ["index.ts", "rendered.ts", "state.ts", "console-state.ts"]

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".ts") && !others.includes(name))
const lists = await Promise.all(
  files.map((name): Promise<{ readonly states: ReadonlyArray<PageState> }> => import(join(import.meta.dirname, name))),
)

/** Every state of every page. */
export const states: ReadonlyArray<PageState> = lists.flatMap((each) => each.states)
export const nameOf = ({ page, name }: PageState): string => `${page}: ${name}`
