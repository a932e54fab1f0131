import { auth } from "../utils/auth"

// The page does not read the session from `/api/auth`: Nuxt would pass on that the visitor follows a link of another site, which is refused.
export default defineEventHandler(async (event) => {
  const verdict = await auth.getSession(event, { address: getRequestIP(event) ?? null, extend: false })
  if (verdict.status === "unavailable") throw createError({ statusCode: 503 })
  return { email: verdict.status === "authenticated" ? verdict.user.email : null }
})
