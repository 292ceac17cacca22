import { describe, expect, test } from 'vitest'
import { readAddress, withControls, withoutSession } from '../../src/frame/address.ts'

const read = (path: string, search = '') => readAddress({ pathname: path, search })

describe('the address of a frame', () => {
  test.each([
    ['/embed/dashboard/OwVQpbdaZmBT', { surface: 'dashboard', publicId: 'OwVQpbdaZmBT', deploymentId: null }],
    ['/embed/chat', { surface: 'chat', publicId: null, deploymentId: null }],
    ['/embed/d/42/app', { surface: 'app', publicId: null, deploymentId: 42 }],
    ['/embed/d/42/app/workbook/130', { surface: 'app', publicId: null, deploymentId: 42 }],
  ])('%s names its page', (path, expected) => {
    expect(read(path)).toMatchObject(expected)
  })

  test('both published names of the session parameter are read, on every page', () => {
    expect(read('/embed/chat', '?session=a').sessionId).toBe('a')
    expect(read('/embed/dashboard/x', '?sessionId=b').sessionId).toBe('b')
    expect(read('/embed/chat').sessionId).toBeNull()
  })

  test('a grant is the literal true, a hiding the literal false, anything else nothing', () => {
    for (const value of ['1', 'TRUE', 'True', '', 'yes']) {
      expect(read('/embed/chat', `?allowExport=${value}`).switches.allowExport).toBe(false)
    }
    expect(read('/embed/chat', '?allowExport=true').switches.allowExport).toBe(true)
    for (const value of ['0', 'False', 'FALSE', '', 'true']) {
      expect(read('/embed/chat', `?showChatInput=${value}`).switches.showChatInput).toBe(true)
    }
    expect(read('/embed/chat', '?showChatInput=false').switches.showChatInput).toBe(false)
    expect(read('/embed/chat', '?hideChatHistory=true').switches.showChatHistory).toBe(false)
  })

  test('a hidden header hides what is in it, whatever is said of that', () => {
    const { switches } = read('/embed/dashboard/x', '?showDashboardHeader=false&showDashboardTitle=true')
    expect(switches).toMatchObject({ showDashboardTitle: false, showDashboardEditButton: false })
  })

  test('presets of controls are found, taken out and put back; the session is taken out', () => {
    const href = 'https://h.example/embed/dashboard/x?session=s&locale=de&f_a.b=%7B%22value%22%3A1%7D&tg_a.t=month'
    expect([...read('/embed/dashboard/x', new URL(href).search).controls]).toEqual([
      ['f_a.b', '{"value":1}'],
      ['tg_a.t', 'month'],
    ])
    expect(withoutSession(href)).not.toContain('session')
    const next = new URL(withControls(href, new Map([['ms_a.b', 'a.c']])), 'https://h.example')
    expect([...next.searchParams.keys()]).toEqual(['session', 'locale', 'ms_a.b'])
  })
})
