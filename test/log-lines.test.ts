import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "..")

const sources = ["domain", "application", "adapters"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name)),
)

const call = /\bEffect\.log(?:Trace|Debug|Info|Warning|Error|Fatal)?\(/g
const text = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g

/** The arguments of a call whose first argument begins the code; texts among them are empty. */
const argumentsOf = (code: string): ReadonlyArray<string> => {
  const found = [""]
  let depth = 0
  for (const character of code.replace(text, '""')) {
    if (depth === 0 && character === ")") break
    if (/[([{]/.test(character)) depth++
    if (/[)\]}]/.test(character)) depth--
    if (depth === 0 && character === ",") found.push("")
    else found.push(`${found.pop()}${character}`)
  }
  return found.map((argument) => argument.trim()).filter((argument) => argument !== "")
}

/** The arguments of log lines that are neither the message nor a `Cause`. With one of these, the message is a list in JSON. */
const otherArguments = (source: string): ReadonlyArray<string> => {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1")
  return [...code.matchAll(call)].flatMap(({ 0: { length }, index }) =>
    argumentsOf(code.slice(index + length))
      .slice(1)
      .filter((argument) => !/^(?:cause$|Cause\.)/.test(argument)),
  )
}

it.each([
  ['Effect.logInfo("a, (b")', []],
  ['Effect.logInfo("a", cause).pipe(f(1, 2))', []],
  ["Effect.logWarning(`a, (b`, Cause.die(fault))", []],
  ['Effect.annotateLogs(Effect.logError("a"), { b: 1 })', []],
  ['Effect.logDebug("a", { b: f(1, 2), c: 3 }, fault)', ["{ b: f(1, 2), c: 3 }", "fault"]],
  ['Effect.logDebug(\n  "a",\n  fault,\n)', ["fault"]],
])("%s", (code, expected) => {
  expect(otherArguments(code)).toEqual(expected)
})

it("the message of every log line is one text", () => {
  const faults = sources.flatMap((path) => otherArguments(readFileSync(join(root, path), "utf8")).map((argument) => `${path}: ${argument}`))
  expect(faults).toEqual([])
})
