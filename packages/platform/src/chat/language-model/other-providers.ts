/**
 * Providers that agents' files of the field name (contract/behaviour/chat.md section 7, "BYO model") and whose own formats are not spoken
 * here: where each answers in OpenAI's.
 */
const addresses: ReadonlyMap<string, string> = new Map([
  ['bedrock', 'https://bedrock-runtime.<region>.amazonaws.com/openai/v1, with a Bedrock API key'],
  ['aws_bedrock', 'https://bedrock-runtime.<region>.amazonaws.com/openai/v1, with a Bedrock API key'],
  ['azure', 'https://<resource>.openai.azure.com/openai/v1, with the resource\u2019s key'],
  ['azure_openai', 'https://<resource>.openai.azure.com/openai/v1, with the resource\u2019s key'],
  ['databricks', 'https://<workspace>/serving-endpoints, with an access token'],
  ['snowflake', 'https://<account>.snowflakecomputing.com/api/v2/cortex/v1, with an access token'],
  ['vertex', 'a gateway that renews its access tokens, which end after an hour (LiteLLM is one)'],
  ['gcp_vertex', 'a gateway that renews its access tokens, which end after an hour (LiteLLM is one)'],
])

/** What to do about a provider that is not spoken to in its own format; null: nothing is known of it. */
export function insteadOf(provider: string): string | null {
  const address = addresses.get(provider.toLowerCase().replace(/[^a-z]+/g, '_'))
  return address === undefined ? null : `set it to openai-compatible, and the base URL to ${address}`
}
