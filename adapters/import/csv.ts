import { Readable } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { FileFault, max_record, type RawRecord } from "./raw-record.ts"

interface Parsed {
  readonly record: Readonly<Record<string, string>>
  readonly raw: string
  readonly info: { readonly lines: number }
}

const newlines = (text: string) => text.split("\n").length - 1

/** The records of a CSV file, whose first line names the columns. */
export async function* csv(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const options = {
    bom: true,
    columns: true,
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: max_record,
  }
  const parser = parse(options)
  const source = Readable.from(chunks, { objectMode: false })
  source.once("error", (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, raw, info } of parser as AsyncIterable<Parsed>) {
      const text = raw.replace(/\r?\n$/, "")
      yield { line: info.lines - newlines(text), raw: text, value: record }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FileFault({ reason: `line ${error["lines"] ?? "?"}: the CSV is not well-formed (${error.code})` })
  } finally {
    source.destroy()
  }
}

export const frameOf = (header: string) => ({ header: `${header}\n`, separator: "\n", footer: "\n" })
