#!/bin/sh
# Tries the data model of this checkout beside production: it must compile, and the queries of gate.json must answer the same.
#
#   HEDRON_API_URL, HEDRON_API_KEY   the server, and a key of the gate's own with SchemaRead, SchemaUpdate,
#                                    SchemaUpdateDevBranches and DeploymentRead
#   HEDRON_DEPLOYMENT                id of the deployment
#   HEDRON_PROJECT                   folder of the project (default: .)
#   HEDRON_GATE_QUERIES              JSON file of names to queries (default: gate.json beside this script)
#   HEDRON_GATE_REPORT               Markdown file to write (default: gate.md)
#
# Arguments go on to `hedron gate`, such as --allow-differences or --reports.
set -eu
: "${HEDRON_API_URL:?}" "${HEDRON_API_KEY:?}" "${HEDRON_DEPLOYMENT:?}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# `exec`, so that a job that is cancelled reaches hedron itself, which then removes its branch.
exec hedron gate "$HEDRON_DEPLOYMENT" \
  --directory "${HEDRON_PROJECT:-.}" \
  --queries "${HEDRON_GATE_QUERIES:-$here/gate.json}" \
  --markdown "${HEDRON_GATE_REPORT:-gate.md}" \
  "$@"
