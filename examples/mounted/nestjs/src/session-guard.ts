import { type CanActivate, type ExecutionContext, HttpException, Injectable } from "@nestjs/common"
import type { Request, Response } from "express"
import { refusalOf } from "sallyport/backend"
import type {} from "sallyport/backend/express" // the type of `request.auth`
import { auth } from "./auth.js"

@Injectable()
export class SessionGuard implements CanActivate {
  async canActivate(context: ExecutionContext) {
    const http = context.switchToHttp()
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()]
    const verdict = await auth.getSession(request, { address: request.ip })
    if (verdict.status !== "authenticated") {
      const { status, body } = refusalOf(verdict)
      throw new HttpException(body, status)
    }
    response.append("set-cookie", verdict.headers.getSetCookie())
    request.auth = { session: verdict.session, user: verdict.user }
    return true
  }
}
