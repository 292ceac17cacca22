import type { FastifyInstance } from 'fastify'
import { approvalPage, codePage, decidedPage } from '../pages/sign-in/device-pages.ts'
import { inWords } from '../pages/sign-in/frame.ts'
import { formOf } from './form-body.ts'
import type { PageTools } from './page-tools.ts'
import { textOf } from './text-of.ts'
import { visitOf } from './visit.ts'

const title = 'Log in a program'
const unknown = 'No program waits with that code. Codes are good for 15 minutes and once: look at the program again.'

/** `/auth/device`, the verification address of the device flow (RFC 8628 section 3.3). */
export function addDevicePages(scope: FastifyInstance, tools: PageTools): void {
  const { signIn, guard, page, personOf, redirect } = tools

  scope.get<{ Querystring: Record<string, unknown> }>('/auth/device', async (request, reply) => {
    const typed = textOf(request.query.user_code) ?? ''
    const person = await personOf(request)
    if (!person) return redirect(reply, `/auth/sign-in?return=${encodeURIComponent(pathFor(typed))}`)
    const ask = (status: number, problem: string | null) =>
      page(request, reply, { title, person, status }, formToken => codePage({ formToken, typed, problem }))
    if (typed === '') return ask(200, null)
    const device = await signIn.devices.find(person, typed)
    if (device === null) return ask(404, unknown)
    if ('wait' in device) return ask(429, waitText(device.wait))
    const isSameAddress = device.address === request.ip
    return page(request, reply, { title, person }, formToken =>
      approvalPage({ ...device, ...person, formToken, isSameAddress }),
    )
  })

  scope.post('/auth/device', async (request, reply) => {
    if (!guard.isOurs(request)) return tools.refuseForm(request, reply, await personOf(request))
    return redirect(reply, pathFor(formOf(request.body).get('user_code') ?? ''))
  })

  scope.post('/auth/device/decide', async (request, reply) => {
    const person = await personOf(request)
    if (!person || !guard.isOurs(request)) return tools.refuseForm(request, reply, person)
    const form = formOf(request.body)
    const typed = form.get('user_code') ?? ''
    const decision = form.get('decision')
    const ask = (status: number, problem: string) =>
      page(request, reply, { title, person, status }, formToken => codePage({ formToken, typed, problem }))
    // What says neither is no decision.
    if (decision !== 'allow' && decision !== 'deny') return ask(400, 'Choose one: allow or deny.')
    const isAllowed = decision === 'allow'
    const device = await signIn.devices.decide(person, typed, isAllowed ? 'allowed' : 'denied', visitOf(request))
    if (device === null) return ask(404, unknown)
    if ('wait' in device) return ask(429, waitText(device.wait))
    return page(request, reply, { title: isAllowed ? 'Allowed' : 'Denied', person }, () =>
      decidedPage(device.client, isAllowed),
    )
  })
}

const waitText = (seconds: number) => `Too many codes. Try again in ${inWords(seconds)}.`
const pathFor = (typed: string) =>
  typed === '' ? '/auth/device' : `/auth/device?user_code=${encodeURIComponent(typed.slice(0, 40))}`
