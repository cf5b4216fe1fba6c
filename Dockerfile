FROM python:3.13-slim

# An ordinary user: what the tools may not do, the system does not let them do either.
RUN useradd --create-home glassbox
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
# Without compiled files the first visitor waits seconds longer.
RUN python -m compileall -q app.py agent pages && mkdir data && chown glassbox data

USER glassbox
VOLUME /app/data
EXPOSE 8501
HEALTHCHECK CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://localhost:8501/_stcore/health', timeout=3)"]
CMD ["streamlit", "run", "app.py", "--server.headless=true", "--server.fileWatcherType=none"]
