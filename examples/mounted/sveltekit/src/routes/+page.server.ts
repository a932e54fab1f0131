import { type Actions, error, redirect, type ServerLoad } from "@sveltejs/kit"
import { auth } from "../lib/server/auth"

export const load: ServerLoad = async ({ request, getClientAddress }) => {
  const verdict = await auth.getSession(request, { address: getClientAddress(), extend: false })
  if (verdict.status === "unavailable") error(503)
  return { email: verdict.status === "authenticated" ? verdict.user.email : null }
}

export const actions: Actions = {
  signOut: async ({ request, cookies }) => {
    const { headers } = await auth.call.signOut({ headers: request.headers })
    for (const line of headers.getSetCookie()) {
      const { name, value, ...options } = cookies.parse(line)
      cookies.set(name, value ?? "", options)
    }
    redirect(303, "/")
  },
}
