import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createGunzip } from "node:zlib"
import { isJsonObject } from "../../domain/values/json.ts"
import { parsedJson } from "../json-text.ts"
import * as Csv from "./csv.ts"
import * as JsonDocument from "./json-document.ts"
import * as JsonLines from "./json-lines.ts"
import { type Frame, max_record, type RawRecord } from "./raw-record.ts"

/** A file with users. */
export interface UserFile {
  readonly size: number
  /** Identifies the file: it changes when the size or the beginning of the file changes. */
  readonly fingerprint: string
  readonly frame: Frame
  /** The records from the beginning; `onBytes` gets the number of bytes that were read of the file so far. */
  readonly records: (onBytes?: (read: number) => void) => AsyncGenerator<RawRecord>
}

const head_bytes = 1_048_576
const gzip = Buffer.from([0x1f, 0x8b])

/** Opens a file in any of the formats, compressed by gzip or not. */
export const openFile = async (path: string): Promise<UserFile> => {
  const { size, head } = await headOf(path)
  const isZipped = head.subarray(0, 2).equals(gzip)
  const chunks = (onBytes?: (read: number) => void) => chunksOf(path, isZipped, onBytes)
  const { frame, read } = containerOf(await beginningOf(chunks()))
  return {
    size,
    fingerprint: createHash("sha256").update(`${size}\n`).update(head).digest("base64url"),
    frame,
    records: (onBytes) => read(chunks(onBytes)),
  }
}

const headOf = async (path: string) => {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(head_bytes), 0, head_bytes, 0)
    return { size, head: buffer.subarray(0, bytesRead) }
  } finally {
    await file.close()
  }
}

async function* chunksOf(path: string, isZipped: boolean, onBytes: (read: number) => void = () => {}): AsyncGenerator<Buffer> {
  const file = createReadStream(path)
  let read = 0
  file.on("data", (chunk) => {
    read += chunk.length
    onBytes(read)
  })
  file.pause()
  const unzipped = isZipped ? file.pipe(createGunzip()) : file
  file.once("error", (error) => unzipped.destroy(error))
  try {
    for await (const chunk of unzipped) yield chunk as Buffer
  } finally {
    file.destroy()
    unzipped.destroy()
  }
}

const beginning_bytes = 65_536

/** The beginning of a file: at least 64 KiB (or the whole file), and its first line. */
interface Beginning {
  readonly text: string
  /** Undefined if it is longer than a record may be. */
  readonly first: string | undefined
}

const beginningOf = async (chunks: AsyncIterable<Buffer>): Promise<Beginning> => {
  let bytes = Buffer.alloc(0)
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk])
    if (bytes.length < beginning_bytes) continue
    const text = textOf(bytes)
    const [first, rest] = text.split(/\r?\n/, 2)
    if (rest !== undefined) return { text, first }
    if (text.length > max_record) return { text, first: undefined }
  }
  const text = textOf(bytes)
  return { text, first: text.split(/\r?\n/, 1)[0] }
}

const textOf = (bytes: Buffer) =>
  bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trimStart()

interface Container {
  readonly frame: Frame
  readonly read: (chunks: AsyncIterable<Buffer>) => AsyncGenerator<RawRecord>
}

const document = (member?: string): Container => ({
  frame: JsonDocument.frameOf(member),
  read: (chunks) => JsonDocument.jsonDocument(chunks, member),
})

/** Detects the format of a file: a JSON list, an object with a list of users, one JSON object a line, or CSV. */
const containerOf = ({ text, first = "" }: Beginning): Container => {
  if (text.startsWith("[")) return document()
  if (!text.startsWith("{")) return { frame: Csv.frameOf(first), read: Csv.csv }
  const whole = parsedJson(first)
  const member = ["users", "Users"].find((name) => (isJsonObject(whole) ? Array.isArray(whole[name]) : isNamed(text, name)))
  if (member !== undefined) return document(member)
  return whole === undefined && !first.endsWith("}") ? document("users") : { frame: JsonLines.frame, read: JsonLines.jsonLines }
}

const isNamed = (beginning: string, name: string) => new RegExp(`"${name}"\\s*:\\s*\\[`).test(beginning)
