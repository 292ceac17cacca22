export const statuses = ['done', 'open', 'cancelled']
