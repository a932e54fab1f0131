import { mount } from "sallyport/backend/next"
import { auth } from "../../../../lib/auth"

export const { GET, HEAD, POST, PUT, DELETE, OPTIONS } = mount(auth)
