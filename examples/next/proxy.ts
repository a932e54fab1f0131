import { type NextRequest, NextResponse } from "next/server"
import { backend } from "./backend"

/** Extends the session and writes its cookie at each visit: `serverSession` in a server component does neither. */
export const proxy = async (request: NextRequest) => {
  const verdict = await backend.getSession(request)
  const response = NextResponse.next()
  if (verdict.status !== "unavailable") for (const [name, value] of verdict.headers) response.headers.append(name, value)
  return response
}

export const config = { matcher: "/" }
