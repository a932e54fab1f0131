import { Controller, Get, Post, Req, Res, ServiceUnavailableException, UseGuards } from "@nestjs/common"
import type { Request, Response } from "express"
import { auth } from "./auth.js"
import { SessionGuard } from "./session-guard.js"

@Controller()
export class Pages {
  @Get()
  async page(@Req() request: Request) {
    const verdict = await auth.getSession(request, { address: request.ip, extend: false })
    if (verdict.status === "unavailable") throw new ServiceUnavailableException()
    if (verdict.status === "anonymous") return `<a href="/auth/sign-in">Sign in</a>`
    return `<a href="/auth/account">Account</a><form method="post" action="/sign-out"><button>Sign out</button></form>`
  }

  @Get("me")
  @UseGuards(SessionGuard)
  me(@Req() request: Request) {
    return request.auth?.user
  }

  @Post("sign-out")
  async signOut(@Req() request: Request, @Res() response: Response) {
    const { headers } = await auth.call.signOut({ headers: request.headers })
    response.append("set-cookie", headers.getSetCookie()).redirect(303, "/")
  }
}
