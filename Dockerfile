FROM python:3.13-slim

# The first process of a container has to wait for those that lose their parent, such as ended sandboxes: tini does.
RUN apt-get update && apt-get install -y --no-install-recommends tini && rm -rf /var/lib/apt/lists/*
# An ordinary user: what the tools may not do, the system does not let them do either.
RUN useradd --create-home --uid 1000 glassbox
WORKDIR /app
COPY deploy/requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
# Without compiled files the first visitor waits seconds longer.
RUN python -m compileall -q app.py agent pages && mkdir data && chown glassbox data

USER glassbox
VOLUME /app/data
EXPOSE 8501
HEALTHCHECK --start-period=60s CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8501/_stcore/health', timeout=3)"]
# A worker (docs/deploy.md) is the same image with another command: python -m agent worker
ENTRYPOINT ["tini", "--"]
CMD ["streamlit", "run", "app.py", "--server.headless=true", "--server.fileWatcherType=none"]
