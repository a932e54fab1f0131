import { Tokenizer, TokenParser, TokenType } from "@streamparser/json"
import { FileFault, max_record, type RawRecord, tooLarge } from "./raw-record.ts"

const newline = 10

/** The pieces of a chunk, each up to the end of a line. */
function* piecesOf(chunk: Buffer): Generator<Buffer> {
  let from = 0
  while (from < chunk.length) {
    const end = chunk.indexOf(newline, from)
    const to = end < 0 ? chunk.length : end + 1
    yield chunk.subarray(from, to)
    from = to
  }
}

/** The records of a JSON document: the elements of the list, or of the list that is this member of the object. */
export async function* jsonDocument(chunks: AsyncIterable<Buffer>, member: string | undefined): AsyncGenerator<RawRecord> {
  const found: Array<RawRecord> = []
  const depthOfRecords = member === undefined ? 1 : 2
  let [line, begun, depth, size] = [1, 1, 0, 0]
  let outerKey = ""
  const isInList = () => depth >= depthOfRecords && (member === undefined || outerKey === member)

  const tokenizer = new Tokenizer()
  const parser = new TokenParser({ paths: [member === undefined ? "$.*" : `$.${member}.*`], keepStack: false })
  parser.onValue = ({ value }) => {
    found.push({ line: begun, raw: JSON.stringify(value), value })
    size = 0
  }
  tokenizer.onToken = (token) => {
    if (depth === 1 && token.token === TokenType.STRING) outerKey = String(token.value)
    if (depth === depthOfRecords) begun = line
    if (token.token === TokenType.LEFT_BRACE || token.token === TokenType.LEFT_BRACKET) depth += 1
    if (token.token === TokenType.RIGHT_BRACE || token.token === TokenType.RIGHT_BRACKET) depth -= 1
    parser.write(token)
  }

  for await (const chunk of chunks) {
    for (const piece of piecesOf(chunk)) {
      try {
        tokenizer.write(piece)
      } catch {
        throw new FileFault({ reason: `line ${line}: the JSON is not well-formed` })
      }
      // Other members may be larger: the parser does not keep them.
      size = isInList() ? size + piece.length : 0
      if (size > max_record) throw tooLarge(depth > depthOfRecords ? begun : line)
      if (piece.at(-1) === newline) line += 1
    }
    yield* found.splice(0)
  }
  if (depth > 0) throw new FileFault({ reason: `line ${line}: the JSON ends early` })
  yield* found
}

/** The document around the refused records. */
export const frameOf = (member: string | undefined) =>
  member === undefined
    ? { header: "[\n", separator: ",\n", footer: "\n]\n" }
    : { header: `{${JSON.stringify(member)}:[\n`, separator: ",\n", footer: "\n]}\n" }
