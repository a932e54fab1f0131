import { StringDecoder } from "node:string_decoder"
import { parsedJson } from "../json-text.ts"
import { max_record, type RawRecord, tooLarge } from "./raw-record.ts"

/** One JSON value a line. */
export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const decoder = new StringDecoder("utf8")
  let [rest, line] = ["", 0]
  const recordOf = (text: string): ReadonlyArray<RawRecord> => {
    line += 1
    const raw = text.trim()
    return raw === "" ? [] : [{ line, raw, value: parsedJson(raw) }]
  }
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > max_record) throw tooLarge(line + 1)
    for (const text of lines) yield* recordOf(text)
  }
  yield* recordOf(rest + decoder.end())
}

export const frame = { header: "", separator: "\n", footer: "\n" }
