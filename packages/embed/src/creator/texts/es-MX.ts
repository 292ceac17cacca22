import type { CreatorTexts } from './en-US.ts'
import { creatorTexts as spanish } from './es-ES.ts'

/** Mexican Spanish where it says it another way. */
export const creatorTexts: CreatorTexts = {
  ...spanish,
  shared: 'Compartidos contigo',
  empty: 'Aún no hay nada. Crea un libro para empezar.',
  addChart: 'Agregar gráfica',
  addText: 'Agregar texto',
  addFilter: 'Agregar filtro',
  saveFailed: 'No se guardó. Se intentará de nuevo con el próximo cambio.',
  moveHint: 'Las flechas mueven, Mayús y flechas cambian el tamaño, Entrar edita, Supr elimina.',
  changeAdded: 'Agregado',
  addTabs: 'Agregar pestañas',
  addTab: 'Agregar pestaña',
  addSpace: 'Agregar espacio',
  addDivider: 'Agregar línea',
  addHtml: 'Agregar HTML',
  emptyTab: 'Aún no hay nada en esta pestaña. Agrega algo o arrastra un widget a la pestaña.',
}
