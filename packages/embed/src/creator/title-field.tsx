import { useCreator } from './creator-context.ts'

interface TitleFieldProps {
  readonly value: string
  readonly onChange: (title: string) => void
}

/** The title of a widget, which may be left empty. */
export function TitleField({ value, onChange }: TitleFieldProps) {
  const { texts } = useCreator()
  return (
    <input
      aria-label={texts.title}
      placeholder={texts.title}
      maxLength={255}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
