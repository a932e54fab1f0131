import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { states } from "../adapters/pages/states/index.ts"
import { assets, rendered } from "../adapters/pages/states/rendered.ts"
import { atEnd } from "./endings.ts"

/** Serves the state of a number in a language, and the files of the pages. */
export const serveStates = async (): Promise<string> => {
  const server = createServer(async (request, response) => {
    const [, kind = "", first = "", tag = "en"] = (request.url ?? "").split("/")
    const asset = kind === "assets" ? assets.byPath.get(first) : undefined
    const state = kind === "state" ? states[Number(first)] : undefined
    if (asset !== undefined) response.writeHead(200, { "content-type": asset.type }).end(asset.body)
    else if (state !== undefined) response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(await rendered(state, tag))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  atEnd(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
