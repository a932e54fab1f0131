import "reflect-metadata"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import { nodeHandler } from "sallyport"
import { auth } from "./auth.js"
import { Pages } from "./pages.js"

@Module({ controllers: [Pages] })
class Application {}

const app = await NestFactory.create(Application)
app
  .getHttpAdapter()
  .getInstance()
  .all(/^\/(api\/)?auth\//, nodeHandler(auth))
await app.listen(Number(process.env["PORT"] ?? 3000), process.env["HOST"] ?? "0.0.0.0")
