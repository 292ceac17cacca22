const secretName = /PASS|SECRET|TOKEN|KEY|CREDENTIAL/i

/** Whether the value of a variable of this name is never shown (contract/behaviour/devmode-deploy.md section 3). */
export const isSecretVariable = (name: string): boolean => secretName.test(name)
