// Loaded into a server with `--import`: on SIGUSR2, a promise is rejected, and nothing handles it.
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('a planted fault'))
})
