"""ClickHouse's HTTP interface over chdb, which is ClickHouse's engine as a library.

Each request runs in a process of its own (`work`), so that its settings end with it and it can be killed. Says its port first.
"""
import base64, http.server, json, subprocess, sys
from urllib.parse import parse_qs, urlsplit


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def put(kind, content):
    sys.stdout.buffer.write(kind + len(content).to_bytes(4, "big") + content)
    sys.stdout.buffer.flush()


def work():
    import chdb

    setup, sql, asked = json.load(sys.stdin)
    connection = chdb.connect(":memory:")
    try:
        for statement in setup + [f"SET {name} = {quoted(value)}" for name, value in asked.items()]:
            connection.query(statement)
        body, _, wanted = sql.rpartition("FORMAT ")
        try:
            started = False
            for portion in connection.send_query(body, wanted.strip()):
                # Each portion begins with names and types; a server says them once.
                content = portion.bytes()
                put(b"R", content.split(b"\n", 2)[2] if started else content)
                started = True
            if not started:
                put(b"R", connection.query(body, wanted.strip()).bytes())
        except RuntimeError as error:
            # Only what selects is streamed.
            if "not supported for query" not in str(error):
                raise
            put(b"R", connection.query(body, wanted.strip()).bytes())
    except Exception as error:
        put(b"E", str(error).encode() + b"\n")
    put(b".", b"")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    running = {}

    def log_message(self, *_):
        pass

    def do_POST(self):
        query = parse_qs(urlsplit(self.path).query, keep_blank_values=True)
        asked = {name: values[-1] for name, values in query.items()}
        sql = self.body().decode()
        given = base64.b64decode(self.headers.get("Authorization", "Basic Og==")[6:]).decode()
        if given != "reader:" + sys.argv[2]:
            return self.whole(401, b"Code: 516. DB::Exception: reader: Authentication failed. (AUTHENTICATION_FAILED) (version 0)")
        if sql.startswith("KILL QUERY"):
            victim = self.running.get(asked["param_id"])
            if victim:
                victim.kill()
            return self.whole(200, b"")
        # What only a server knows.
        query_id = asked.pop("query_id", "")
        readonly = asked.pop("readonly", "0")
        settings = {name: value for name, value in asked.items() if name != "database" and "http" not in name}
        self.answer(query_id, sql, {**settings, "readonly": readonly})

    def body(self):
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        content = b""
        while size := int(self.rfile.readline(), 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return content

    def answer(self, query_id, sql, settings):
        worker = subprocess.Popen([sys.executable, __file__, "work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.running[query_id] = worker
        started = False
        try:
            worker.stdin.write(json.dumps([json.loads(sys.argv[1]), sql, settings]).encode())
            worker.stdin.close()
            while True:
                head = worker.stdout.read(5)
                if len(head) < 5:
                    raise ConnectionAbortedError("the worker was killed")
                content = worker.stdout.read(int.from_bytes(head[1:], "big"))
                if head[:1] == b"E" and not started:
                    return self.whole(500, content)
                if not started:
                    started = True
                    self.send_response(200)
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                if content:
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(content), content))
                if head[:1] != b"R":
                    break
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.close_connection = True
        finally:
            self.running.pop(query_id, None)
            worker.kill()
            worker.wait()

    def whole(self, status, content):
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if sys.argv[1] == "work":
    work()
else:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
