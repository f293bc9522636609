/**
 * The validator of typed answers for the clients of tests. A client compiles the types of all its tools when it is given
 * their list, which takes a tenth of a second or more. All connections have the same few types, so each is compiled once.
 */
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'

const compiled = new Map<string, JsonSchemaValidator<unknown>>()
const ajv = new AjvJsonSchemaValidator()

export const outputValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const text = JSON.stringify(schema)
    const validator = compiled.get(text) ?? ajv.getValidator(schema)
    compiled.set(text, validator)
    return validator as JsonSchemaValidator<T>
  },
}

/** The check of a type of an answer, as the client has it. @throws for a schema that cannot be compiled */
export const compileType = (schema: object | undefined) => outputValidator.getValidator(schema as JsonSchemaType)
