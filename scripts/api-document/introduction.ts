/** What stands before the routes. The terminal session is typed by a test. */
export const introduction = `# REST

Made by \`npm run api-document\` from the schemas the hall serves with; \`GET /api/openapi.json\` has the same for programs.

JSON in, JSON out, unless a route names another type. A body must say its type and have at most 1 MiB. Lists take \`limit\` (1 to 500, default 50) and \`cursor\`, and answer \`nextCursor\`, null on the last page. With a token, send \`Authorization: Bearer …\`. There is no CORS: pages of other addresses cannot use this, and programs can.

Streams are server-sent events. That of a session is open while a message is being answered: it begins with what was said so far, ends with \`done\`, and goes on behind \`Last-Event-ID\` with nothing lost. That of the hall tells that something changed and not what it contains, and replays nothing.

In a hall without a key, this is how it goes:

\`\`\`console
$ hall=http://127.0.0.1:4870/api
$ json='content-type: application/json'
$ curl -s $hall/health
{"status":"ok",…"backend":"demo"…
$ id=$(curl -s $hall/sessions -H "$json" -d '{ "name": "From a script", "members": ["example"] }' | grep -o 'ses_[0-9a-z]*')
$ curl -s $hall/sessions/$id/messages -H "$json" -d '{ "text": "tour" }'
{"messageId":"msg_…"}
$ curl -sN $hall/sessions/$id/events
event: text
event: tool_use
event: tool_result
event: done
$ curl -s "$hall/sessions/$id?limit=1"
"messages":[{"id":"msg_…"role":"assistant"
$ job=$(curl -s $hall/workers/researcher/jobs -H "$json" -d '{ "description": "Tides", "task": "Why are there two a day?" }' | grep -o '[0-9a-f-]\\{36\\}')
$ curl -sN -H 'accept: text/event-stream' $hall/workers/researcher/jobs/$job/events
event: entry
"type":"question"
event: done
data: {"status":"completed"}
$ curl -s $hall/workers/researcher/jobs/$job/result
"output":"…## Answer
$ curl -s $hall/tools/invoke -H "$json" -d '{ "member": "example", "tool": "divide", "input": { "dividend": 22, "divisor": 8 } }'
"content":[{"type":"text","text":"2.75"}]
$ curl -s $hall/sessions/ses_1
"status":400…"code":"invalid_id"
$ curl -s -X DELETE $hall/sessions/$id
\`\`\`
`;
