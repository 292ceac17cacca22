# Installs the hedron command line on Windows.
#
#   HEDRON_VERSION      version to install, such as 1.2.3 (default: the newest)
#   HEDRON_INSTALL_DIR  where to put it (default: %LOCALAPPDATA%\Programs\hedron)
#   HEDRON_UPDATE_URL   where the files of the release are (default: the address that this script came with)
$ErrorActionPreference = 'Stop'
Set-StrictMode -Version Latest

function Install-Hedron {
  $address = if ($env:HEDRON_UPDATE_URL) { $env:HEDRON_UPDATE_URL } else { '@RELEASE_ADDRESS@' }
  $address = $address.TrimEnd('/')
  $version = if ($env:HEDRON_VERSION) { $env:HEDRON_VERSION -replace '^v', '' } else { '' }
  if ($version -eq 'latest') { $version = '' }
  if ($version -and $version -notmatch '^[0-9A-Za-z.+-]+$') { throw "HEDRON_VERSION is no version: $version" }
  if ($version) { $address = $address -replace '/latest/download$', "/download/v$version" }
  if (-not [Environment]::Is64BitOperatingSystem) { throw 'unsupported machine: hedron needs 64-bit Windows' }

  $folder = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
  New-Item -ItemType Directory -Path $folder | Out-Null
  try {
    $sums = Join-Path $folder 'SHA256SUMS'
    Invoke-WebRequest -UseBasicParsing -Uri "$address/SHA256SUMS" -OutFile $sums
    $line = Get-Content $sums | Where-Object { $_ -match '^[0-9a-f]{64}  hedron-\d\S*-windows-x64\.exe\.gz$' } | Select-Object -First 1
    if (-not $line) { throw "the release at $address has no binary for windows-x64" }
    $expected, $archive = $line -split '  ', 2
    if ($version -and $archive -ne "hedron-$version-windows-x64.exe.gz") { throw "version $version is not at ${address}: it has $archive" }

    Write-Host "Downloading $archive ..."
    $packed = Join-Path $folder 'hedron.gz'
    Invoke-WebRequest -UseBasicParsing -Uri "$address/$archive" -OutFile $packed
    if ((Get-FileHash -Algorithm SHA256 $packed).Hash -ne $expected) { throw "$archive is not what SHA256SUMS names" }

    $unpacked = Join-Path $folder 'hedron.exe'
    $from = [IO.File]::OpenRead($packed)
    $to = [IO.File]::Create($unpacked)
    $gzip = New-Object IO.Compression.GZipStream($from, [IO.Compression.CompressionMode]::Decompress)
    try { $gzip.CopyTo($to) } finally { $gzip.Dispose(); $to.Dispose(); $from.Dispose() }

    $directory = if ($env:HEDRON_INSTALL_DIR) { $env:HEDRON_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'Programs\hedron' }
    New-Item -ItemType Directory -Force -Path $directory | Out-Null
    $place = Join-Path $directory 'hedron.exe'
    # A program that runs cannot be overwritten on Windows, but it can be moved away.
    if (Test-Path $place) { Move-Item -Force $place "$place.old" }
    Move-Item -Force $unpacked $place
    Remove-Item -Force -ErrorAction SilentlyContinue "$place.old"
    Write-Host "Installed $(& $place --version) to $place"
    if (($env:PATH -split ';') -notcontains $directory) {
      Write-Host "NOTE: $directory is not on your PATH; add it with`n  [Environment]::SetEnvironmentVariable('PATH', `"$directory;`" + [Environment]::GetEnvironmentVariable('PATH', 'User'), 'User')"
    }
  } finally {
    Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $folder
  }
}

Install-Hedron
