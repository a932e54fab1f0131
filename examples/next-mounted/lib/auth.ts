import { sallyport } from "sallyport"
import config from "../sallyport.config"

export const auth = sallyport(config)
