FROM python:3.11-slim

# llama.cpp needs the system's OpenMP runtime.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgomp1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 wenqu \
    && install -d -o wenqu -g wenqu /data

WORKDIR /app
COPY requirements*.txt .
# What pip is to install besides, for what lives on other machines: "-r requirements-milvus.txt psycopg[binary]".
ARG EXTRAS
RUN pip install --no-cache-dir -r requirements.txt ${EXTRAS}
COPY --chown=wenqu:wenqu . .

USER wenqu
ENV GRADIO_SERVER_NAME=0.0.0.0 \
    WENQU_STORE=/data/store \
    WENQU_MODELS=/data/models
VOLUME /data
EXPOSE 7860
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:7860/healthz', timeout=4)"]
CMD ["python", "app.py"]
