#!/usr/bin/env python3
"""A host of Skep in Python: does the shell jobs whose command is a line of the file `allowed`.
usage: worker.py HUB-URL [CODE]    (the code of `skep hosts pair`, the first time)
Keeps its key and id in the current folder. Needs Python 3.9 or later, and openssl 3 to sign."""
import base64, hashlib, http.client, json, os, pathlib, secrets, signal, socket, subprocess, sys, threading, time, urllib.request
HUB, KEY, ID = sys.argv[1].rstrip("/"), pathlib.Path("worker.key"), pathlib.Path("worker.id")
PLACE = hashlib.sha256(f"{socket.gethostname()} {os.getcwd()}".encode()).hexdigest()
token, lock, running = {"until": 0.0}, threading.Lock(), {}

def openssl(length, *words):  # the last bytes of what it prints, in base64url
    printed = subprocess.run(["openssl", *words], check=True, capture_output=True).stdout
    return base64.urlsafe_b64encode(printed[-length:]).decode().rstrip("=")
def ulid():  # 48 bits of milliseconds and 80 of chance, five bits to a letter
    number = int(time.time() * 1000) << 80 | secrets.randbits(80)
    return "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[number >> 5 * i & 31] for i in range(25, -1, -1))

def post(path, body, **headers):
    headers["Content-Type"] = "application/json"
    ask = urllib.request.Request(HUB + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(ask, timeout=60) as answer:
        return json.loads(answer.read() or "null")
def prove(path, purpose, **more):  # docs/worker-protocol.md: what a host signs
    hub, at = post("/api/link/challenge", {"address": HUB}), time.strftime("%FT%T.000000Z", time.gmtime())
    said = {"hubId": hub["hubId"], "nonce": hub["nonce"], "hostId": HOST, "publicKey": PUBLIC,
            "place": PLACE, "at": at, "address": HUB}
    pathlib.Path("worker.text").write_bytes("\n".join(["skep link 2", purpose, *said.values()]).encode())
    signature = openssl(64, "pkeyutl", "-sign", "-inkey", KEY, "-rawin", "-in", "worker.text")
    return post(path, {**said, "signature": signature, **more})

def call(path, body):  # until it is taken: the hub knows a repeated piece or result
    while True:
        try:
            with lock:
                if time.monotonic() > token["until"]:
                    token.update(prove("/api/link/token", "TOKEN"), until=time.monotonic() + 120)
            return post(path, body, Authorization="Bearer " + token["token"])
        except (OSError, http.client.HTTPException) as failed:
            status, token["until"] = getattr(failed, "code", 0), 0.0
            print(path, failed, failed.read().decode() if status else "", file=sys.stderr)
            if status // 100 == 4 and status not in (401, 429): return None  # it stays so
        time.sleep(2)

def beat():
    while True:
        held = [{"runId": run, "attempt": each["attempt"]} for run, each in list(running.items())]
        said = {"version": "worker.py", "allows": ["jobs"], "running": held}
        answer = call("/api/agent/heartbeat", said) or {"runs": [], "intervalSeconds": 5}
        for order in answer["runs"]:
            if order["do"] != "renewed": end(running.get(order["runId"]), "cancelled")
        time.sleep(answer["intervalSeconds"])

def end(run, why):
    if run and run["process"].poll() is None:
        run["why"] = why
        os.killpg(run["process"].pid, signal.SIGKILL)
def work(job):
    path, attempt, command = "/api/agent/runs/" + job["runId"], job["attempt"], job["payload"].get("command")
    status, result = "failed", {"error": "the file `allowed` of this host does not list the command"}
    if job["type"] == "shell" and command in pathlib.Path("allowed").read_text().splitlines():
        process = subprocess.Popen(command, shell=True, text=True, errors="replace", start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        run = running[job["runId"]] = {"attempt": attempt, "process": process, "why": None}
        limit = threading.Timer(job.get("timeoutSeconds", 604800), end, (run, "timed_out"))
        limit.start()
        for n, line in enumerate(iter(lambda: process.stdout.readline(4096), "")):
            call(path + "/output", {"attempt": attempt, "chunks": [{"n": n, "stream": "stdout", "text": line}]})
        result = {"exitStatus": process.wait()}
        limit.cancel()
        status = run["why"] or ("failed" if result["exitStatus"] else "succeeded")
    call(path + "/result", {"attempt": attempt, "status": status, "result": result})
    running.pop(job["runId"], None)

KEY.exists() or openssl(1, "genpkey", "-algorithm", "ed25519", "-out", KEY)
ID.exists() or ID.write_text(ulid())
HOST, PUBLIC = ID.read_text(), openssl(32, "pkey", "-in", KEY, "-pubout", "-outform", "DER")
if len(sys.argv) > 2: prove("/api/link/enrol", "ENROL", code=sys.argv[2], name=socket.gethostname())
threading.Thread(target=beat, daemon=True).start()
while True:
    job = call(f"/api/agent/jobs/next?wait=20&worker={PLACE}-{os.getpid()}", {})
    if job: work(job)
