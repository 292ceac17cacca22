"""Reads a script of PowerShell as UTF-8 and writes its syntax tree as JSON: [type, start, end, what is wrong, children]."""

import json
import sys

import tree_sitter
import tree_sitter_powershell

sys.setrecursionlimit(10_000)


def tree_of(node):
    # Each term stands in a dozen of expressions, one for each level of precedence; only those that do something are kept.
    while node.type.endswith("_expression") and node.type != "left_assignment_expression" and node.child_count == 1:
        node = node.child(0)
    wrong = "error" if node.is_error else "missing" if node.is_missing else None
    return [node.type, node.start_byte, node.end_byte, wrong, [tree_of(child) for child in node.children]]


parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
json.dump(tree_of(parser.parse(sys.stdin.buffer.read()).root_node), sys.stdout)
