import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, describe, expect, it } from "vitest"
import { openFile } from "../../../adapters/import/file.ts"
import { FileFault, max_record } from "../../../adapters/import/raw-record.ts"
import { refusedFile, refusedPath } from "../../../adapters/import/refused-file.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-import-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const fileOf = (content: string | Buffer) => {
  const path = join(folder, `file-${count++}`)
  writeFileSync(path, content)
  return path
}

const all = async (path: string) => {
  const found = []
  for await (const record of (await openFile(path)).records()) found.push(record)
  return found
}

describe("records, with the line on which they begin, of", () => {
  const expected = [
    { line: 2, id: "1" },
    { line: 4, id: "2" },
  ]
  it.each([
    ["a JSON list", '[\n{"id":"1",\n"x":[{"y":1}]},\n{"id":"2"}\n]'],
    ["an object with users", '{"realm":{"users":1},"users":[\n{"id":"1",\n"x":[{"y":1}]},\n{"id":"2"}\n],"more":[{"id":"3"}]}'],
    ["JSON lines", '\n{"id":"1"}\n\n{"id":"2"}'],
    ["CSV", 'id,x\n1,"a\nb"\n2,é\n'],
    ["compressed JSON lines", gzipSync('\n{"id":"1"}\n\n{"id":"2"}\n')],
  ])("%s", async (_, content) => {
    const records = await all(fileOf(content))
    expect(records.map(({ line, value }) => ({ line, id: Reflect.get(Object(value), "id") }))).toEqual(expected)
  })

  it("a document on one line, and an empty file", async () => {
    expect(await all(fileOf('{"users":[{"id":"1"},{"id":"2"}]}'))).toHaveLength(2)
    expect(await all(fileOf(""))).toEqual([])
  })
})

it("members beside the users may be larger than a record", async () => {
  const clients = Array.from({ length: 40 }, (_, id) => ({ id, text: "x".repeat(max_record / 20) }))
  expect(await all(fileOf(JSON.stringify({ realm: "users", clients, users: [{ id: "1" }] })))).toMatchObject([{ value: { id: "1" } }])
  expect(await all(fileOf(JSON.stringify({ users: [{ id: "1" }], clients }, null, 1)))).toHaveLength(1)
})

it("JSON lines may begin with a line as large as a record", async () => {
  const text = "x".repeat(max_record - 1000)
  const lines = [`{"id":"1","text":"${text}"}`, '{"id":"2"}', `{"id":"3","text":"${text}"}`]
  expect(await all(fileOf(lines.join("\n")))).toMatchObject([{ line: 1 }, { line: 2 }, { line: 3 }])
  expect(await all(fileOf(`\n\n${lines[0]}`))).toMatchObject([{ value: { id: "1" } }])
  expect(await all(fileOf(JSON.stringify({ realm: text, users: [{ id: "1" }] })))).toMatchObject([{ value: { id: "1" } }])
})

it("a list of texts is read as records, with their lines", async () => {
  expect(await all(fileOf('[\n"a",\n\n"b"]'))).toMatchObject([
    { line: 2, value: "a" },
    { line: 4, value: "b" },
  ])
})

describe("files that cannot be read further", () => {
  it.each([
    ["a document that ends early", '[{"id":"1"},'],
    ["a document with a fault", '[{"id":"1"},\n{"id" 2}]'],
    ["a large record in a document", `[{"id":"${"x".repeat(2 * max_record)}"}]`],
    ["a large record of an object with users", `{"users":[{"id":"${"x".repeat(2 * max_record)}"}]}`],
    ["a list of large texts", `["${"x".repeat(2 * max_record)}"]`],
    ["a large text in an object with users", `{"users":["${"x".repeat(2 * max_record)}"]}`],
    ["a large line", `{"id":"1"}\n{"id":"${"x".repeat(2 * max_record)}"}`],
    ["a large record in CSV", `id,x\n1,"${"x".repeat(2 * max_record)}"\n`],
    ["an open quote in CSV", 'id,x\n1,"x\n'],
  ])("%s", async (_, content) => {
    await expect(all(fileOf(content))).rejects.toBeInstanceOf(FileFault)
  })

  it("a line that is not JSON is one record", async () => {
    expect(await all(fileOf('{"id":"1"}\n{"id" secret}\n'))).toMatchObject([{ line: 1 }, { line: 2, value: undefined }])
  })
})

describe("the file of refused records", () => {
  it.each([
    ["a JSON list", '[{"id":"1"},{"id":"2"},{"id":"3"}]'],
    ["an object with users", '{"users":[{"id":"1"},{"id":"2"},{"id":"3"}]}'],
    ["JSON lines", '{"id":"1"}\n{"id":"2"}\n{"id":"3"}\n'],
    ["CSV", 'id,x\n1,a\n2,"b\nc"\n3,d\n'],
  ])("is in the format of the input: %s", async (_, content) => {
    const input = await openFile(fileOf(content))
    const raws: Array<string> = []
    for await (const { raw } of input.records()) raws.push(raw)
    const path = join(folder, `refused-${count++}`)
    const refused = refusedFile(path, input.frame)
    const first = await refused.write(raws.slice(0, 1), 0)
    const lost = await refused.write(["lost", "lost", "lost"], first)
    expect(lost).toBeGreaterThan(first)
    // A run that continues writes in the place of what the killed run wrote.
    const end = await refused.write(raws.slice(1), first)
    expect(statSync(path)).toMatchObject({ size: end })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await all(path)).map(({ value }) => Reflect.get(Object(value), "id"))).toEqual(["1", "2", "3"])
    expect(await refused.write([], end)).toBe(end)
    expect(readFileSync(path, "utf8")).not.toContain("lost")
  })

  it("has a name beside the input", () => {
    expect([refusedPath("/a/users.csv"), refusedPath("users.json.gz")]).toEqual(["/a/users.refused.csv", "users.refused.json"])
  })
})
