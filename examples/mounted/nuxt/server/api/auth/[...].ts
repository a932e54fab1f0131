import { auth } from "../../utils/auth"

export default defineEventHandler((event) => auth.fetch(toWebRequest(event), { address: getRequestIP(event) ?? null }))
