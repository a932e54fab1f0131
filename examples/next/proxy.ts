import { type NextRequest, NextResponse } from "next/server"
import { backend } from "./backend"

/** Extends the session and writes its cookie, which a server component cannot. */
export const proxy = async (request: NextRequest) => {
  const verdict = await backend.getSession(request)
  const response = NextResponse.next()
  if (verdict.status !== "unavailable") for (const [name, value] of verdict.headers) response.headers.append(name, value)
  return response
}

export const config = { matcher: "/" }
