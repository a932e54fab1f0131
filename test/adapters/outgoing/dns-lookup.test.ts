import { createSocket } from "node:dgram"
import { once } from "node:events"
import type { AddressInfo, LookupFunction } from "node:net"
import { afterAll, describe, expect, it } from "vitest"
import { lookupOf } from "../../../adapters/outgoing/dns-lookup.ts"

/** A name server: `known.example` has these addresses, `silent.example` gets no answer, and no other name exists. */
const server = createSocket("udp4")
const addresses = { 1: [Buffer.from([93, 184, 215, 14])], 28: [Buffer.from("20010db8000000000000000000000001", "hex")] }
let asked = 0
server.on("message", (query, { port, address }) => {
  asked++
  const question = query.subarray(12, query.indexOf(0, 12) + 5)
  const type = question.readUInt16BE(question.length - 4) as 1 | 28
  if (question.includes("silent")) return
  const isKnown = question.includes("known")
  const records = isKnown ? addresses[type] : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(isKnown ? 0x81_80 : 0x81_83, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  const answers = records.map((data) => {
    const record = Buffer.from("c00c00000001000000000000", "hex")
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  server.send(Buffer.concat([header, question, ...answers]), port, address)
})
server.bind(0, "127.0.0.1")
await once(server, "listening")
afterAll(() => void server.close())

const lookup = lookupOf([`127.0.0.1:${(server.address() as AddressInfo).port}`])
type Found = Parameters<Parameters<LookupFunction>[2]>
const resolved = (host: string, all: boolean) => new Promise<Found>((resolve) => lookup(host, { all }, (...found) => resolve(found)))

describe("a lookup by DNS", () => {
  it("has all addresses of a name, or the first one", async () => {
    expect(await resolved("known.example", true)).toEqual([
      null,
      [
        { address: "93.184.215.14", family: 4 },
        { address: "2001:db8::1", family: 6 },
      ],
    ])
    expect(await resolved("known.example", false)).toEqual([null, "93.184.215.14", 4])
  })

  it("fails for a name that does not exist, or whose name server does not answer", async () => {
    for (const host of ["other.example", "silent.example"]) expect((await resolved(host, true))[0]).toMatchObject({ code: "ENOTFOUND" })
  })

  it("does not read the hosts file", async () => {
    const before = asked
    expect((await resolved("localhost", true))[0]).toMatchObject({ code: "ENOTFOUND" })
    expect(asked).toBeGreaterThan(before)
  })
})
