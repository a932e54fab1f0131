import type { Choices } from "./choices.ts"
import type { Plan, Planned } from "./files.ts"

const indented = (text: string) => text.trimEnd().replaceAll(/^(?=.)/gm, "    ")

const blockOf = ({ path, text, reason }: Planned) => `${path} is not written: ${reason}. Add this text by hand:\n${indented(text)}`

/** The result in words. `past`: the files are written. */
export const described = ({ files, steps }: Plan, install: string | undefined, past: boolean): string => {
  const paths = (state: Planned["state"]) => files.filter((file) => file.state === state).map(({ path }) => path)
  const lines = [
    ...paths("new").map((path) => `${past ? "Written:" : "To write:"} ${path}`),
    ...paths("unchanged").map((path) => `Unchanged: ${path}`),
    ...(install === undefined ? [] : [`${past ? "Ran:" : "To run:"} ${install}`]),
    ...files.filter(({ state }) => state === "by hand").map(blockOf),
    ...(steps.length === 0 ? [] : ["Next steps:", ...steps.map((step) => `- ${step}`)]),
  ]
  return lines.join("\n")
}

/** The result as JSON. Only files that are left to the developer have their text: that of a written one may contain the secret. */
export const asJson = (choices: Choices, { files, steps }: Plan, install: string | undefined, past: boolean): string => {
  const { methods, ...others } = choices
  const entries = files.map(({ path, state, reason, text }) => ({
    path,
    state: past && state === "new" ? "written" : state,
    ...(state === "by hand" ? { reason, text } : {}),
  }))
  return JSON.stringify({ ...others, with: methods, files: entries, install: install ?? null, steps })
}
