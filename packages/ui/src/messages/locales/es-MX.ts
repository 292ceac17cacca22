import type { Messages } from '../messages.ts'
import { messages as spanish } from './es-ES.ts'

/** Mexican Spanish where it says it another way. */
export const messages: Messages = {
  ...spanish,
  errorTitle: 'No se pudo mostrar',
  noRightsHint: 'Hace falta el permiso “{right}”. Un administrador puede otorgarlo.',
  partlyFailed: { one: 'No se pudo cargar {count} parte', other: 'No se pudieron cargar {count} partes' },
  memberGone: '“{member}” ya no forma parte del modelo de datos.',
  chartPie: 'Gráfica circular',
  chartBar: 'Gráfica de barras',
  chartLine: 'Gráfica de líneas',
  chartArea: 'Gráfica de áreas',
  chartPoints: 'Gráfica de dispersión',
  chartOther: 'Gráfica',
  showChart: 'Ver como gráfica',
  chartFailed: 'No se puede dibujar esta gráfica',
  suggestionsFailed: 'No se pudieron cargar los valores. Escribe uno y presiona Enter.',
  useTyped: 'Usar “{value}”',
  most: 'Máximo',
  badNumber: '“{value}” no es un número',
  dashboard: 'Tablero',
  back: 'Regresar',
  downloadFailed: 'La descarga falló',
  dashboardEmpty: 'Este tablero todavía no tiene widgets.',
  dashboardMissing: 'Este tablero no existe o no tienes acceso.',
  sessionEndedTitle: 'Tu sesión terminó',
  sessionUsedTitle: 'Este enlace ya se usó',
  toolFailed: 'Este paso falló',
  chatsFailed: 'No se pudieron cargar los chats',
}
